import CommandLine
import JSON
import TerminalUI

/// The `slot` commands.
enum SlotRequest {
  /// What they add to the operation's parameters.
  static func members(_ invocation: Invocation) throws(UsageError) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    for (argument, member) in [("type", "type"), ("label", "label")] {
      if let value = invocation.argument(argument) { members.append(.init(member, .string(value))) }
    }
    if let text = invocation.argument("id") {
      guard let id = TimeSpan.digits(text.utf8), let number = UInt32(exactly: id) else {
        throw .argumentNotAllowed(name: "id", allowed: ["a number of 'holdfast slot list'"])
      }
      members.append(.init("id", .integer(Int64(number))))
    }
    for option in ["label", "gate"] {
      if let value = invocation.value(option) { members.append(.init(option, .string(value))) }
    }
    if invocation.has("discard") { members.append(.init("discard", true)) }
    if let seals = try seals(invocation) { members.append(.init("tpm", .bool(seals))) }
    if invocation.has("accept-loss") { members.append(.init("accept_loss", true)) }
    guard invocation.name == "slot add" else { return members }
    if let token = invocation.value("new-token") { members.append(.init("new_token", .string(token))) }
    if let module = invocation.value("module") { members.append(.init("new_module", .string(module))) }
    return members
  }

  /// What `slot bind` has of the TPM.
  private static func seals(_ invocation: Invocation) throws(UsageError) -> Bool? {
    guard invocation.name == "slot bind" else { return nil }
    switch (invocation.has("tpm"), invocation.has("no-tpm")) {
    case (true, true): throw .exclude(option: "tpm", other: "no-tpm")
    case (true, false): return true
    case (false, true): return false
    case (false, false): return nil
    }
  }

  /// Where the secret of a new slot is read from; nil when it has none.
  static func newSecret(_ invocation: Invocation) -> OwnerRequest.NewSecret? {
    guard invocation.name == "slot add" || invocation.name == "slot passphrase" else { return nil }
    switch invocation.argument("type") ?? "passphrase" {
    case "token":
      return OwnerRequest.NewSecret(name: "new_pin", question: "PIN of the new token: ", file: invocation.value("new-pin-file"))
    case "passphrase":
      return OwnerRequest.NewSecret(
        name: "new_passphrase", question: "New passphrase: ", file: invocation.value("new-passphrase-file"), isTwice: true)
    default: return nil
    }
  }
}
