import OwnerAPI
import ResponseTexts

/// A person at a terminal is asked before a request is approved that cannot be undone, or that changes who somebody is or what is theirs.
enum SeriousRequests {
  /// The most requests that the question names.
  private static let mostNamed = 5

  /// - Parameters:
  ///   - waiting: the requests that wait.
  ///   - lasting: what the answer allows from now on, in a sentence.
  ///   - isForGood: whether the owner is asked for that alone, because the rule does not end by itself.
  /// - Returns: the question; nil if none of the named requests is serious, and nothing is for good.
  static func question(
    _ answer: RequestAnswer, in waiting: [WaitingRequest], lasting: String? = nil, isForGood: Bool = false
  ) -> String? {
    let meant = answer.meant(among: waiting)
    let serious = meant.filter { $0.risk == .grave && !(meant.count == 1 && lasting == nil && isConfirmedByPassphrase($0)) }
    guard !serious.isEmpty || isForGood && lasting != nil else { return nil }
    let usual = serious.isEmpty && meant.count == 1 ? RequestText.dangers(meant[0]) : []
    let lines = usual + self.lines(serious)
    let question = lasting.map { "\($0)\nApprove that?" } ?? "Approve \(serious.count == 1 ? "it" : "them")?"
    return (lines + [question]).joined(separator: "\n")
  }

  /// What the signer warns of in each of them; empty for none.
  static func lines(_ serious: [WaitingRequest]) -> [String] {
    guard !serious.isEmpty else { return [] }
    let more = serious.count > mostNamed ? ["and \(serious.count - mostNamed) more"] : []
    return ["This is serious."] + serious.prefix(mostNamed).flatMap(RequestText.dangers) + more
  }

  /// A request whose key needs the passphrase for each use is confirmed by typing it: for this request, and not for others with it.
  private static func isConfirmedByPassphrase(_ request: WaitingRequest) -> Bool {
    [.passcode, .passkeyOrPasscode].contains(request.presence)
  }
}
