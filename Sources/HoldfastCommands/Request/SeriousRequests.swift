import OwnerAPI
import ResponseTexts

/// A person at a terminal is asked before a request is approved that cannot be undone, or that changes who somebody is or what is theirs.
enum SeriousRequests {
  /// The most requests that the question names.
  private static let mostNamed = 5

  /// - Parameter waiting: the requests that wait.
  /// - Returns: the question; nil if none of the named requests is serious.
  static func question(_ answer: RequestAnswer, in waiting: [WaitingRequest]) -> String? {
    let meant = answer.meant(among: waiting)
    let serious = meant.filter { $0.risk == .grave && !(meant.count == 1 && isConfirmedByPassphrase($0)) }
    guard !serious.isEmpty else { return nil }
    let more = serious.count > mostNamed ? ["and \(serious.count - mostNamed) more"] : []
    let lines = serious.prefix(mostNamed).flatMap(named) + more
    return "This is serious.\n\(lines.joined(separator: "\n"))\nApprove \(serious.count == 1 ? "it" : "them")?"
  }

  /// A request whose key needs the passphrase for each use is confirmed by typing it: for this request, and not for others with it.
  private static func isConfirmedByPassphrase(_ request: WaitingRequest) -> Bool {
    [.passcode, .passkeyOrPasscode].contains(request.presence)
  }

  private static func named(_ request: WaitingRequest) -> [String] {
    let title = "\(foreign(request.title)), for \(foreign(request.client.shownName))"
    return [title] + request.parts.filter { $0.type == .warning }.map { "  ! " + foreign($0.text, limit: 400) }
  }
}
