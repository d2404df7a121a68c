import Platform
import Relays
import Sockets

/// Tells the operator that one of the proxy's own relays cannot be reached, and that it can again: in few lines, whatever happens. What was told
/// as lost is always told as back.
final class RelayRemarks: Sendable {
  private struct State {
    /// Whether the operator was told that it is away.
    var isTold = false
    /// When its loss may be told again, in milliseconds of a clock that never goes back.
    var next: Int64 = .min
  }

  /// The time between two losses of one relay that are told, in milliseconds.
  static let pause: Int64 = 60_000

  private let relays = Locked<[WebSocketURL: State]>([:])
  private let remark: @Sendable (Remark) -> Void

  init(_ remark: @escaping @Sendable (Remark) -> Void) { self.remark = remark }

  /// Takes what became of a connection.
  func changed(_ relay: WebSocketURL, _ health: RelayHealth) {
    guard !health.isUndecided else { return }
    changed(
      relay, isConnected: health.isHearing, health.lastError, refusal: health.refusal, isSilent: health.isSilent,
      now: Clock.bootMilliseconds)
  }

  /// - Parameters:
  ///   - reason: why there is no connection.
  ///   - refusal: why a connected relay does not take what is asked for.
  ///   - isSilent: whether a connected relay does not answer what is asked for.
  ///   - now: milliseconds of a clock that never goes back.
  func changed(
    _ relay: WebSocketURL, isConnected: Bool, _ reason: String?, refusal: String? = nil, isSilent: Bool = false, now: Int64
  ) {
    let isNews = relays.withLock { relays in
      var state = relays[relay] ?? State()
      guard state.isTold == isConnected, isConnected || now >= state.next else { return false }
      state.isTold = !isConnected
      if !isConnected { state.next = now + Self.pause }
      relays[relay] = state
      return true
    }
    guard isNews else { return }
    guard !isConnected else { return remark(.news("Connected to \(relay.text) again.")) }
    remark(.trouble(refusal.map { Self.refusing(relay, $0) } ?? (isSilent ? Self.silent(relay) : Self.away(relay, reason))))
  }

  private static func silent(_ relay: WebSocketURL) -> String {
    "\(relay.text) is connected, and does not confirm what the proxy asks for (no EOSE for 10 seconds). Nobody may be woken for requests there. holdfast-push check tries it."
  }

  private static func refusing(_ relay: WebSocketURL, _ text: String) -> String {
    "\(relay.text) does not take all that the proxy asks for: “\(text)”. Not everybody is woken for requests there. It is tried again, with longer and longer pauses."
  }

  private static func away(_ relay: WebSocketURL, _ reason: String?) -> String {
    let because = reason.map { ": \($0)" } ?? ""
    return
      "There is no connection to \(relay.text)\(because). Nobody is woken for requests there. It is tried again, with longer and longer pauses."
  }
}
