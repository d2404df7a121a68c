import CommandLine
import PushProxy
import Sockets

extension PushCheck {
  /// The time limit for each answer of a relay, in seconds.
  private static let patience = 5

  /// What each relay answers to what a proxy asks, all at the same time.
  func relays(_ relays: Set<WebSocketURL>) throws(CommandError) -> [Finding] {
    guard let loop = try? EventLoop() else {
      throw CommandError(.failed, "The network could not be prepared.", hint: "There may be no memory or file descriptor left.")
    }
    loop.start()
    defer { loop.stop(within: 1_000) }
    let ordered = relays.sorted { $0.text < $1.text }
    let answers = RelayTrial.answers(of: ordered, loop, milliseconds: Self.patience * 1_000)
    return zip(ordered, answers).map { Self.finding($0.text, $1) }
  }

  private static let most = "\(RelayTrial.subscriptions) subscriptions on one connection, of \(RelayTrial.keys) keys each"
  private static let raise = "Nobody is woken for requests there. Change the relay's rules if it is yours, or name another one."

  private static func finding(_ relay: String, _ answer: RelayTrial.Answer) -> Finding {
    switch answer {
    case .takesAll(let loggedIn):
      .good("\(relay) takes what the proxy asks for\(loggedIn ? ", after a login (NIP-42)" : "").")
    case .takesFew(let text):
      Finding(
        verdict: .warning,
        found: "\(relay) takes a subscription for one key, and not as much as the proxy may ask for: \(most)\(says(text))",
        advice: "With few keys it will do. Raise its limits, or name another relay, before there are more.")
    case .wantsLogin(let text):
      Finding(
        verdict: .warning,
        found: "\(relay) wants a login (NIP-42), and does not take that of a key which it does not know\(says(text))",
        advice:
          "The proxy logs in with a key of its own. If the relay does not let that key in, nobody is woken for requests there.")
    case .away(let reason):
      Finding(
        verdict: .bad, found: "There is no connection to \(relay): \(reason).", advice: "Check its address, and whether it runs.")
    case .closed(let text):
      Finding(verdict: .bad, found: "\(relay) does not take the proxy's subscription\(says(text))", advice: raise)
    case .noticed(let text):
      Finding(
        verdict: .bad, found: "\(relay) answers the proxy's subscription with a notice, and does not take it\(says(text))",
        advice: raise)
    case .silent:
      Finding(
        verdict: .bad, found: "\(relay) says nothing to the proxy's subscription for \(patience) seconds.",
        advice: "Check whether a relay (NIP-01) listens at this address.")
    }
  }

  /// - Parameter text: cut and cleaned already; empty for a relay that said nothing.
  private static func says(_ text: String) -> String { text.isEmpty ? "." : ". It says: “\(text)”" }
}
