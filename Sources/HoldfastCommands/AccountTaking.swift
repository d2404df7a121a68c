import CommandLine
import JSON
import OwnerAPI
import TerminalUI

/// `identity accounts` and `identity import --scan`: makes identities of the accounts that were chosen, by `--take` or at the terminal.
/// - Parameters:
///   - result: of the search, or of the import with the search in it.
///   - request: what asked for it; what it was proven by proves this.
/// - Returns: the result with `taken` where something was chosen; nil when all of it was shown already.
func takingAccounts(
  _ result: JSONValue, _ request: ControlRequest, _ invocation: Invocation, _ now: Int64
) throws(CommandError) -> JSONValue? {
  let found = result["scan"] ?? result
  guard let name = invocation.argument("name"), found["accounts"] != nil else { return result }
  if let choice = try usage({ () throws(UsageError) in try AccountChoice(invocation) }) {
    let taken = try take(choice, of: found, name, request, invocation)
    return .object((result.members ?? []) + [.init("taken", .array(taken))])
  }
  let isThereAny = (found["accounts"]?.array ?? []).contains { $0["here"]?.string == nil }
  guard isThereAny, Terminal.isInput, !invocation.has("json") else { return result }
  Output.line(ResultText.text(for: request.operation, result, now: now))
  if result["scan"] != nil { Output.line(ResultText.text(for: "identity/accounts", found, now: now)) }
  while true {
    let answer = PlainInput.line("Take which of them? Their numbers, “all”, or Enter for none: ")
    if answer.isEmpty { return nil }
    guard let choice = AccountChoice(answer) else {
      Output.warning("Say “all”, or numbers as 0,2,5.")
      continue
    }
    let taken = try take(choice, of: found, name, request, invocation)
    Output.line(ResultText.taken(.object([.init("taken", .array(taken))])))
    return nil
  }
}

private func take(
  _ choice: AccountChoice, of found: JSONValue, _ name: String, _ request: ControlRequest, _ invocation: Invocation
) throws(CommandError) -> [JSONValue] {
  let numbers: [Int64]
  do throws(AccountChoice.NotFound) { numbers = try choice.accounts(in: found) } catch {
    throw CommandError(
      .usage, "Account \(error.number) is not among those found.",
      hint: "To make it all the same: holdfast identity derive NAME NEW-NAME --account \(error.number)")
  }
  let shown = (request.parameters.members ?? []).filter { ["token", "module", "keyring"].contains($0.key) }
  let secrets = request.secrets.filter {
    ["passphrase", "pin", "login", "shares", "recovery_code", "words_passphrase"].contains($0.key)
  }
  var taken: [JSONValue] = []
  for number in numbers {
    let members: [JSONValue.Member] = [
      .init("from", .string(name)), .init("name", .string("\(name)-\(number)")), .init("account", .integer(number)),
    ]
    do throws(CommandError) {
      let made = try perform(ControlRequest("identity/derive", .object(members + shown), secrets: secrets), invocation)
      taken.append(
        .object([.init("account", .integer(number)), .init("name", made["name"] ?? .null), .init("npub", made["npub"] ?? .null)]))
    } catch {
      let before = taken.isEmpty ? "" : " Taken before: \(taken.compactMap { $0["name"]?.string }.joined(separator: ", "))."
      throw CommandError(error.exit, "Account \(number) was not taken: \(error.error)\(before)", hint: error.hint)
    }
  }
  return taken
}
