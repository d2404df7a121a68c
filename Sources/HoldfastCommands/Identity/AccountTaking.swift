import CommandLine
import JSON
import OwnerAPI
import ResponseTexts
import SecretMemory
import TerminalUI

/// Makes identities from found accounts that the owner chose by `--take` or at the terminal.
struct AccountTaking {
  private let line: Invocation
  private let name: String
  private let words: SecretBox?
  /// The credential of the search or the import, which is used for this, too.
  private let credential: Credential

  init(_ line: Invocation, words: SecretBox?, credential: Credential) {
    (self.line, name, self.words, self.credential) = (line, line.needed("name"), words, credential)
  }

  /// `identity accounts`: prints what was found, and which accounts became identities.
  func finishSearch(_ result: ControlResult) throws(CommandError) -> ExitCode {
    let found = try IdentityAccounts.answer(result)
    let text = { () in IdentityAccountsCommand.text(found, .present) }
    guard let taken = try taken(of: found, saying: { Output.line(text()) }) else { return .done }
    return finish(result.json, taken, [text()])
  }

  /// `identity import`: the imported identity stays even if the search fails.
  func finishImport(_ imported: ControlResult) throws(CommandError) -> ExitCode {
    let identity = try IdentityImport.answer(imported)
    let text = IdentityText.made(identity, colors: Terminal.hasColors, line)
    guard line.has("scan"), identity.hasWords else { return finish(imported.json, .none, [text]) }
    let scan = try search()
    let found = try IdentityAccounts.answer(scan)
    let accounts = IdentityAccountsCommand.text(found, .present)
    let whole = JSONValue.object((imported.json.members ?? []) + [.init("scan", scan.json)])
    let say = {
      Output.line(text)
      Output.line(accounts)
    }
    guard let taken = try taken(of: found, saying: say) else { return .done }
    return finish(whole, taken, [text, accounts])
  }

  private func search() throws(CommandError) -> ControlResult {
    var request = IdentityAccounts.Request()
    request.identity = IdentityName(name)
    request.relays = line.values("relay")
    (request.wordsPassphrase, request.credential) = (words, credential)
    do throws(CommandError) { return try performWhole(IdentityAccounts.call(request), line) } catch {
      throw CommandError(
        error.exit, "The key was imported, but its other accounts could not be searched: " + error.error, hint: error.hint)
    }
  }

  private func finish(_ result: JSONValue, _ taken: Taken, _ texts: [String]) -> ExitCode {
    if line.has("json") {
      let members = taken.accounts.map { [JSONValue.Member("taken", .array($0.map(\.json)))] } ?? []
      return Output.line(.object((result.members ?? []) + members)) ? .done : .failed
    }
    for text in texts { Output.line(suggested(line).text(text)) }
    if let accounts = taken.accounts { Output.line(TakenAccount.text(accounts)) }
    return .done
  }

  /// The owner's choice.
  private enum Taken {
    case none
    case some([TakenAccount])

    var accounts: [TakenAccount]? { if case .some(let accounts) = self { accounts } else { nil } }
  }

  /// - Parameter say: shows what was found, before a person is asked.
  /// - Returns: nil if everything was shown already.
  private func taken(of found: IdentityAccounts.Response, saying say: () -> Void) throws(CommandError) -> Taken? {
    if let choice = try usage(line, { () throws(UsageError) in try AccountChoice(line) }) {
      return .some(try take(choice, of: found))
    }
    guard found.accounts.contains(where: { $0.here == nil }), Terminal.isInput, !line.has("json") else { return Taken.none }
    say()
    while true {
      let answer = PlainInput.line("Make identities of which accounts? Numbers, “all”, or Enter for none:")
      if answer.isEmpty { return nil }
      guard let choice = AccountChoice(answer) else {
        Output.warning("Type “all”, or numbers such as 0,2,5.")
        continue
      }
      Output.line(TakenAccount.text(try take(choice, of: found)))
      return nil
    }
  }

  private func take(_ choice: AccountChoice, of found: IdentityAccounts.Response) throws(CommandError) -> [TakenAccount] {
    let numbers: [Int64]
    do throws(AccountChoice.NotFound) { numbers = try choice.accounts(in: found.accounts) } catch {
      throw CommandError(
        .usage, "Account \(error.number) was not found.",
        hint: "To make it anyway: holdfast identity derive NAME NEW-NAME --account \(error.number)")
    }
    var taken: [TakenAccount] = []
    for number in numbers {
      do throws(CommandError) { taken.append(try derive(number)) } catch {
        let before = taken.isEmpty ? "" : " Made before: \(taken.map(\.name).joined(separator: ", "))."
        throw CommandError(error.exit, "No identity was made of account \(number): \(error.error)\(before)", hint: error.hint)
      }
    }
    return taken
  }

  private func derive(_ number: Int64) throws(CommandError) -> TakenAccount {
    var request = IdentityDerive.Request()
    request.from = name
    request.identity.name = "\(name)-\(number)"
    request.account = number
    (request.wordsPassphrase, request.credential) = (words, credential)
    let made = try IdentityDerive.answer(try performWhole(IdentityDerive.call(request), line))
    return TakenAccount(account: number, name: made.name, npub: made.npub)
  }
}

extension TakenAccount {
  fileprivate static func text(_ taken: [TakenAccount]) -> String {
    if taken.isEmpty { return "Nothing to do: all of them are identities here." }
    return taken.map { "Made of account \($0.account): \(shown($0.name)), \(shown($0.npub))" }.joined(separator: "\n")
  }
}
