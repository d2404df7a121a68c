import CommandLine
import CredentialOptions
import Encodings
import OwnerAPI
import OwnerOperations
import OwnerWords
import ResponseTexts
import SecretMemory
import TerminalUI
import Vault

/// Texts about slots, for people.
enum SlotText {
  /// Its type and its label.
  static func kind(_ kind: SlotKind, _ label: String) -> String { shown(kind) + (label.isEmpty ? "" : " “\(foreign(label))”") }

  /// A slot that is left after another one is removed.
  static func left(_ slot: Slot, _ now: Int64) -> String {
    "slot \(slot.id): \(kind(slot.kind, slot.label)), \(worked(slot, now)); opens \(opens(slot))"
  }

  static func worked(_ slot: Slot, _ now: Int64) -> String { lastWorked(used: slot.lastUsed, tested: slot.lastTested, now) }

  /// What it opens, in words: by its type, and what it still lacks. Classes of this device are listed with the others of their
  /// name.
  static func opens(_ slot: Slot) -> String {
    func bases(_ classes: [KeyProtection]) -> [String] { classes.map(\.rawValue).filter { !$0.utf8.contains(UInt8(ascii: ",")) } }
    let lacks = bases(slot.lacks)
    let missing = lacks.isEmpty ? "" : "; not yet: " + lacks.joined(separator: ", ")
    switch slot.kind {
    case .passphrase, .token: return "all but keys that need a passkey" + missing
    case .passkey: return "all but keys that need a passphrase or PIN" + missing
    case .recovery: return "all that may leave this device" + missing
    case .keyring: return "only what stays open while locked" + missing
    }
  }

  /// The names of classes. A class whose this-device-only variant is also listed is named once.
  static func classes(_ classes: [KeyProtection]) -> String {
    let names = classes.map(\.rawValue)
    let twin = ",this-device-only"
    return names.filter { !$0.hasSuffix(twin) || !names.contains(String($0.dropLast(twin.utf8.count))) }.map(className)
      .joined(separator: "; ")
  }

  /// One class in words.
  static func className(_ name: String) -> String { name.split(separator: ",").joined(separator: ", ") }

  /// What was lost with a slot or a binding.
  static func lost(_ names: [String]) -> [String] {
    names.isEmpty ? [] : ["Deleted with it: \(names.map { "“\(foreign($0))”" }.joined(separator: ", "))."]
  }

  /// What would be lost.
  static func loses(_ loss: String?) -> [String] {
    loss.map { ["These are lost for good: \(ours($0, limit: 1000))."] } ?? []
  }
}

/// What several commands of `holdfast slot` have in common.
enum SlotArguments {
  /// Refuses a slot that does not exist before the passphrase is asked for, if a signer runs that can say so.
  static func checkExists(_ line: Invocation) throws(CommandError) {
    guard let id = try usage(line, { () throws(UsageError) in try self.id(line) }), let slots = known(line),
      !slots.contains(where: { $0.id == id })
    else { return }
    throw CommandError(OperationError(VaultError.noSuchSlot))
  }

  /// The slots that a running signer knows; nil when none can say.
  private static func known(_ line: Invocation) -> [Slot]? {
    (try? askDaemonWhole(SlotList.call(Nothing()), home(line))).flatMap { try? SlotList.answer($0).slots }
  }

  /// The slot that a command line names: by its number, or by its label when only one slot has it.
  static func id(_ line: Invocation) throws(UsageError) -> Int64? {
    guard let text = line.argument("id") else { return nil }
    if let id = TimeSpan.digits(text.utf8), let number = UInt32(exactly: id) { return Int64(number) }
    let labelled = known(line)?.filter { $0.label == text } ?? []
    guard labelled.count == 1 else {
      throw .argumentNotAllowed(name: "id", allowed: ["a number from 'holdfast slot list'", "a label that one slot has"])
    }
    return labelled[0].id
  }

  /// A new passphrase.
  static func newPassphrase(_ line: Invocation) throws(CommandError) -> SecretBox {
    try NewPassphrase.read("The new passphrase", of: line)
  }
}

extension Noun {
  static let slot = Noun(
    "slot", "Ways to open the vault",
    commands: [
      SlotListCommand.self, SlotAddCommand.self, SlotTestCommand.self, SlotRemoveCommand.self, SlotRenameCommand.self,
      SlotPassphraseCommand.self, SlotRotateCommand.self, SlotEnrolCommand.self, SlotBindCommand.self,
    ])
}
