package import APNs
import Encodings
package import HTTPClient
import Platform
package import WebPush

/// Sends wakes to devices: by Apple's service, Web Push or UnifiedPush. Nothing is stored on disk: a wake is useless after a minute.
///
/// Apple's devices have a thread of their own: all their wakes share one connection, and a foreign push service that does not answer does not
/// hold them up.
package final class WakeSender: Sendable {
  /// Access to Apple's service.
  package struct Apple: Sendable {
    /// Where it is, and for which app.
    package var service: APNsMessage.Service
    /// Identifies the proxy.
    package let token: ProviderToken

    /// Access by a provider token.
    package init(_ service: APNsMessage.Service, token: ProviderToken) { (self.service, self.token) = (service, token) }
  }

  /// The closures that the sender calls: on its own threads, or within `want` for a wake that is not taken.
  package struct Hooks: Sendable {
    /// Called with the result of each attempt, and whether it was the last.
    package var settled: @Sendable (_ wake: Wake, _ outcome: WakeOutcome, _ isOver: Bool) -> Void
    /// The device is gone. `since` is when its service knew, in milliseconds since 1970, if it says so: a device that registered later stays.
    /// `isUnregistered` is false for an address that never was one of the app's.
    package var gone: @Sendable (_ target: PushTarget, _ since: Int64?, _ isUnregistered: Bool) -> Void
    /// Seconds since 1970.
    package var now: @Sendable () -> Int64 = { Clock.seconds }

    /// All hooks.
    package init(
      settled: @escaping @Sendable (Wake, WakeOutcome, Bool) -> Void,
      gone: @escaping @Sendable (PushTarget, Int64?, Bool) -> Void
    ) { (self.settled, self.gone) = (settled, gone) }
  }

  /// How long a connection may take to answer, in milliseconds. Then it counts as dead.
  package static let answerMilliseconds = 5_000
  /// A device is woken ten times at once, then once in this time, in milliseconds.
  static let devicePause: Int64 = 3_000
  static let deviceBurst: Int64 = 10
  /// How long a wake to a device is delayed at most, in milliseconds: apps ask one thing after the other, and wait for a minute.
  static let deviceDelay: Int64 = 30_000
  /// The most devices whose limits are remembered.
  static let mostDevices = 100_000
  /// Connections to one push service other than Apple's, and wakes that are sent to it at once.
  static let connectionsPerHost = 4
  static let wakesPerHost = 16

  private let apple: SendingLane?
  private let web: SendingLane
  private let hooks: Hooks
  private let devices = Locked(PacedKeys<PushTarget>(interval: devicePause, burst: deviceBurst, limit: mostDevices))

  /// - Parameters:
  ///   - apple: nil without access to Apple's service.
  ///   - vapid: identifies the proxy to Web Push services.
  ///   - web: which endpoints are allowed. Its times are those of the sender.
  /// - Throws: `.noLibrary`, `.notPrepared`.
  package init(apple: Apple?, vapid: VAPIDKey, web: PushSender.Options, hooks: Hooks) throws(HTTPClientError) {
    self.hooks = hooks
    self.apple = try apple.map { access throws(HTTPClientError) in
      try SendingLane(.init(), .one, hooks: Self.hooks(access, hooks))
    }
    self.web = try SendingLane(
      .init(perHost: Self.wakesPerHost), .perHost(Self.connectionsPerHost), hooks: Self.hooks(vapid, web, hooks))
  }

  /// Sends a wake. Does not wait.
  package func want(_ wake: Wake) {
    guard let lane = lane(of: wake.target) else { return hooks.settled(wake, .noService, true) }
    let delay = devices.withLock { $0.delay(wake.target, most: Self.deviceDelay, now: Clock.bootMilliseconds) }
    if let delay { lane.want(wake, after: delay) } else { hooks.settled(wake, .tooOften, true) }
  }

  /// Ends the threads. What was not sent is lost.
  package func stop() {
    apple?.stop()
    web.stop()
  }

  /// How many wakes wait or are being sent.
  package var waiting: Int { (apple?.waiting ?? 0) + web.waiting }

  /// Figures of the wakes by Apple's service; nil without access to it.
  package var appleFigures: SendingFigures? { apple?.figures }
  /// Figures of all other wakes.
  package var webFigures: SendingFigures { web.figures }

  private func lane(of target: PushTarget) -> SendingLane? { if case .apple = target { apple } else { web } }

  // MARK: what the lanes ask

  private static func hooks(_ apple: Apple, _ hooks: Hooks) -> SendingLane.Hooks {
    var service = apple.service
    service.totalMilliseconds = answerMilliseconds
    return SendingLane.Hooks(
      request: { [service] in request($0, service, apple.token, now: hooks.now()) },
      outcome: { result in
        let outcome = WakeOutcome(apple: result)
        if outcome == .tokenExpired { apple.token.expire(now: hooks.now()) }
        return outcome
      }, settled: { settled($0, $1, $2, hooks) }, now: hooks.now)
  }

  private static func hooks(_ vapid: VAPIDKey, _ options: PushSender.Options, _ hooks: Hooks) -> SendingLane.Hooks {
    var options = options
    (options.connectMilliseconds, options.totalMilliseconds) = (answerMilliseconds, answerMilliseconds)
    return SendingLane.Hooks(
      request: { [options] in request($0, options, vapid, now: hooks.now()) }, outcome: { WakeOutcome(web: $0) },
      settled: { settled($0, $1, $2, hooks) }, now: hooks.now)
  }

  private static func settled(_ wake: Wake, _ outcome: WakeOutcome, _ isOver: Bool, _ hooks: Hooks) {
    if case .gone(let since, let isUnregistered) = outcome { hooks.gone(wake.target, since, isUnregistered) }
    hooks.settled(wake, outcome, isOver)
  }

  private static func request(
    _ attempt: WakeQueue.Attempt, _ service: APNsMessage.Service, _ token: ProviderToken, now: Int64
  ) -> HTTPRequest? {
    let wake = attempt.wake
    guard case .apple(let device) = wake.target, let authorization = try? token.authorization(now: now) else { return nil }
    // A request may be sent twice, for example after a connection that did not answer. The device then shows one notification.
    let message = APNsMessage(to: device, payload: wake.content, expires: wake.expires, collapseID: wake.request.hex)
    var request = message.request(service, authorization: authorization)
    request.connection = .shared
    return request
  }

  private static func request(
    _ attempt: WakeQueue.Attempt, _ options: PushSender.Options, _ vapid: VAPIDKey, now: Int64
  ) -> HTTPRequest? {
    var request = message(attempt.wake, vapid, now)?.request(options)
    if attempt.needsNewConnection { request?.connection = .new }
    return request
  }

  static func message(_ wake: Wake, _ vapid: VAPIDKey, _ now: Int64) -> PushMessage? {
    let lifetime = Int(clamping: max(0, wake.expires - now))
    switch wake.target {
    case .apple: return nil
    case .unifiedPush(let endpoint): return PushMessage(withoutContentTo: endpoint, lifetime: lifetime)
    case .webPush(let receiver):
      guard let body = try? PushEncryption.encrypt(wake.content, for: receiver, paddedTo: Wake.paddedLength),
        let authorization = try? vapid.authorization(for: receiver.endpoint, now: now)
      else { return nil }
      return PushMessage(
        endpoint: receiver.endpoint, body: body, authorization: authorization, topic: nil, lifetime: lifetime)
    }
  }
}
