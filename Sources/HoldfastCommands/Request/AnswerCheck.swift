import CommandLine
import Curve
import OwnerAPI
import OwnerWords
import RemoteSigning
import ResponseTexts
import TerminalUI

/// Refuses an approval that the signer would refuse, before a person is asked about it.
struct AnswerCheck {
  /// The most requests that an error names.
  private static let mostNamed = 5

  private let answer: RequestAnswer
  private let requests: [WaitingRequest]

  /// - Parameter requests: those that are answered.
  init(_ answer: RequestAnswer, of requests: [WaitingRequest]) { (self.answer, self.requests) = (answer, requests) }

  /// Without their keys, none of the requests can be approved.
  func checkUnlocked(_ line: Invocation) throws(CommandError) {
    guard !requests.isEmpty, requests.allSatisfy({ $0.needsUnlock == true }), let refusal = LockedNote.refusal(line) else {
      return
    }
    throw refusal
  }

  /// An approval is remembered for no longer than the signer offers for each of the requests.
  /// - Parameter again: how the same answer is given for a time that is possible; nil for once.
  func checkLasts(_ again: (Duration?) -> String) throws(CommandError) {
    guard let wanted = answer.remember, wanted != .once else { return }
    let limits = requests.map { (request: $0, longest: longest($0)) }
    let exceeded = limits.filter { !Remembered(wanted).fits(within: Remembered($0.longest)) }
    guard let least = exceeded.map(\.longest).min(by: { !Remembered($1).fits(within: Remembered($0)) }) else { return }
    let named = Self.named(exceeded.filter { $0.longest == least }.map(\.request))
    let time = wanted.length ?? "for good"
    let isOfSome = least == .once && exceeded.count < requests.count
    let limit = least.length.map { "lasts \($0) at most, not \(time)" } ?? "counts once and cannot last \(time)"
    let meant = requests.count == 1 ? "it" : "all \(requests.count)"
    throw CommandError(
      .usage, "An approval of \(named) \(limit). Nothing was approved.",
      hint: isOfSome
        ? "Answer \(exceeded.count == 1 ? "that one" : "those") first: holdfast request show ID. Then approve the others \(wanted.length.map { "for \($0)" } ?? time)."
        : "To approve \(meant) \(least.length.map { "for \($0)" } ?? "once"): \(again(least == .once ? nil : least))")
  }

  private func longest(_ request: WaitingRequest) -> Duration {
    guard let wider = answer.permission else { return request.offers.last ?? .always }
    let text = wider.hasSuffix("@self") ? wider.dropLast(4) + request.identity.pubkey : wider[...]
    guard let permission = Permission(parsing: String(text)) else { return .always }
    return Grant.offers(for: permission, of: PublicKey(hex: request.identity.pubkey)).last.map { Duration($0) } ?? .once
  }

  private static func named(_ requests: [WaitingRequest]) -> String {
    let more = requests.count > mostNamed ? " and \(requests.count - mostNamed) more" : ""
    return requests.prefix(mostNamed).map { "\(shown($0.id)) (\(foreign($0.title, limit: 60)))" }.joined(separator: ", ") + more
  }
}
