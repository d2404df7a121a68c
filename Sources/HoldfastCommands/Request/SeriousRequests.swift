import OwnerAPI
import ResponseTexts

/// A person at a terminal is asked before a request is approved that cannot be undone, or that changes who somebody is or what is theirs.
enum SeriousRequests {
  /// The most requests that the question names.
  private static let mostNamed = 5

  /// - Parameters:
  ///   - waiting: the requests that wait.
  ///   - lasting: what the answer allows from now on, in a sentence.
  /// - Returns: the question; nil if none of the named requests is serious.
  static func question(_ answer: RequestAnswer, in waiting: [WaitingRequest], lasting: String? = nil) -> String? {
    let meant = answer.meant(among: waiting)
    let serious = meant.filter { $0.risk == .grave && !(meant.count == 1 && lasting == nil && isConfirmedByPassphrase($0)) }
    guard !serious.isEmpty else { return nil }
    let more = serious.count > mostNamed ? ["and \(serious.count - mostNamed) more"] : []
    let lines = ["This is serious."] + serious.prefix(mostNamed).flatMap(RequestText.dangers) + more
    let question = lasting.map { "\($0)\nApprove that?" } ?? "Approve \(serious.count == 1 ? "it" : "them")?"
    return (lines + [question]).joined(separator: "\n")
  }

  /// A request whose key needs the passphrase for each use is confirmed by typing it: for this request, and not for others with it.
  private static func isConfirmedByPassphrase(_ request: WaitingRequest) -> Bool {
    [.passcode, .passkeyOrPasscode].contains(request.presence)
  }
}
