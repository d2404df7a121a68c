import CommandLine
import Encodings
import OwnerAPI
import ResponseTexts
import TerminalUI

/// `--app APP`: all waiting requests of one app, which are answered together.
enum AppsRequests {
  /// The most requests that the question names.
  private static let mostNamed = 20

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

  /// All waiting requests, which are answered together once the owner has confirmed that.
  /// - Throws: if none waits, and if nobody can be asked and `--yes` was not given.
  static func ofAll(_ verb: String, _ line: Invocation) throws(CommandError) -> [WaitingRequest] {
    let waiting = try RequestList.answer(try performWhole(RequestList.call(.init()), line)).requests
    guard !waiting.isEmpty else { throw CommandError(.notFound, "Nothing waits for you.", hint: "See: holdfast request list") }
    guard line.has("yes") || Terminal.isInput && !line.has("json") else {
      throw CommandError(
        .usage, "\(count(waiting)), and there is no terminal to confirm it. Nothing was done.",
        hint: "To confirm it in advance, add --yes.")
    }
    try confirm(questionOfAll(verb, waiting), line)
    return waiting
  }

  /// Says how many requests of which apps there are, and asks whether to answer them.
  static func questionOfAll(_ verb: String, _ waiting: [WaitingRequest]) -> String {
    let apps = Dictionary(grouping: waiting, by: \.client.pubkey).values.sorted { $0.count > $1.count }
    let more = apps.count > mostNamed ? ["  and \(apps.count - mostNamed) more apps"] : []
    let lines =
      ["\(count(waiting)):"] + apps.prefix(mostNamed).map { "  \($0.count) of \(quoted($0[0].client.shownName))" } + more
    return lines.joined(separator: "\n") + "\n\(verb) \(waiting.count == 1 ? "it" : "all of them")?"
  }

  private static func count(_ waiting: [WaitingRequest]) -> String {
    waiting.count == 1 ? "1 request waits" : "\(waiting.count) requests wait"
  }

  /// Names the requests, and asks whether to answer them.
  /// - Parameters:
  ///   - verb: `Approve` or `Deny`.
  ///   - waiting: at least one request.
  ///   - lasting: what the answer does from now on, in a sentence.
  static func question(_ verb: String, _ waiting: [WaitingRequest], lasting: String? = nil) -> String {
    let app = quoted(waiting[0].client.shownName)
    let heading = waiting.count == 1 ? "1 request of \(app) waits:" : "\(waiting.count) requests of \(app) wait:"
    let more = waiting.count > mostNamed ? ["  and \(waiting.count - mostNamed) more"] : []
    let serious = verb == "Deny" ? [] : SeriousRequests.lines(waiting.filter { $0.risk == .grave })
    let lines = [heading] + waiting.prefix(mostNamed).map(named) + more + serious + (lasting.map { [$0] } ?? [])
    return lines.joined(separator: "\n") + "\n\(verb) \(waiting.count == 1 ? "it" : "them")?"
  }

  private static func named(_ request: WaitingRequest) -> String {
    "  \(shown(request.id))  \(request.risk == .grave ? "! " : "")\(WatchText.what(request))"
  }

  /// Whoever approves all of an app without seeing them approves nothing serious unless they say so.
  static func checkCanApprove(_ waiting: [WaitingRequest], _ line: Invocation) throws(CommandError) {
    let serious = waiting.count { $0.risk == .grave }
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
