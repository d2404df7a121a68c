import CommandLine
import Encodings
import OwnerAPI
import ResponseTexts
import TerminalUI

/// `--app APP` and `--all`: the waiting requests of one app, or of every app, which are answered together.
enum AppsRequests {
  /// - Returns: the requests, oldest first.
  /// - Throws: if none waits. What several apps are called is refused by the signer, so that no app is answered in another one's place.
  static func of(_ app: String, _ line: Invocation) throws(CommandError) -> [WaitingRequest] {
    let waiting = try RequestList.answer(try performWhole(RequestList.call(.init(of: app)), line)).requests
    guard !waiting.isEmpty else {
      throw CommandError(.notFound, "No request of \(quoted(app)) waits for you.", hint: "See: holdfast request list")
    }
    // An older signer knows no filter and answers with all.
    guard waiting.allSatisfy({ $0.client.pubkey == waiting[0].client.pubkey }) else {
      throw CommandError(
        .failed, "The signer answered with requests of other apps, too. Nothing was done.",
        hint: "It may be an older version. Stop it and start it again.")
    }
    return waiting
  }

  /// All waiting requests.
  /// - Throws: if none waits, and if nobody can be asked and `--yes` was not given.
  static func ofAll(_ line: Invocation) throws(CommandError) -> [WaitingRequest] {
    let waiting = try RequestList.answer(try performWhole(RequestList.call(.init()), line)).requests
    guard !waiting.isEmpty else { throw CommandError(.notFound, "Nothing waits for you.", hint: "See: holdfast request list") }
    guard line.has("yes") || Terminal.isInput && !line.has("json") else {
      throw CommandError(
        .usage,
        "\(waiting.count == 1 ? "1 request waits" : "\(waiting.count) requests wait"), and there is no terminal to confirm it. "
          + "Nothing was done.",
        hint: "To confirm it in advance, add --yes.")
    }
    return waiting
  }

  /// Whoever approves all of an app without seeing them approves nothing serious unless they say so.
  /// Where nobody is shown which app is meant, the beginning of a name is not enough: an app chooses its name.
  static func checkCanApprove(_ waiting: [WaitingRequest], _ line: Invocation) throws(CommandError) {
    let (app, typed) = (waiting[0].client, line.value("app") ?? "")
    guard RequestAnswer.canAsk(line) || ClientArguments.isWhole(typed, app.name, app.shownName, app.pubkey)
    else {
      throw CommandError(
        .notFound, "\(quoted(typed)) is only the beginning of an app's name. Nothing was approved.",
        hint: "Give the whole name, \(quoted(app.shownName)), or digits of its key: \(app.pubkey.prefix(16))")
    }
    let serious = waiting.count(where: RequestLine.isSerious)
    guard serious > 0, !line.has("yes"), !Terminal.isInput || line.has("json") else { return }
    throw CommandError(
      .usage,
      "\(serious == 1 ? "One of these requests is" : "\(serious) of these requests are") serious, and nobody was asked. "
        + "Nothing was approved.",
      hint: "To see them: holdfast request list --app \(waiting[0].client.typed). To approve them anyway, add --yes.")
  }
}

extension RequestingApp {
  /// What a command calls it. A name that the shell would read in another way is typed as digits of the key.
  var typed: String { ShellWord.plainOrQuoted(name) == name ? shown(name) : String(pubkey.prefix(16)) }
}
