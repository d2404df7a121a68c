import Curve
import Platform

/// Forgets devices that their push services no longer know, and those that were not heard of for long. Notes which are still woken.
///
/// A proxy with a wrong topic, or one for apps in development that asks the service for the others, hears of every device that it is none.
/// So Apple's devices are forgotten only once Apple has taken a wake since the start.
final class Pruning: Sendable {
  private struct State {
    var hasDelivered = false
    var hasRemarked = false
    /// Whether the operator was told that the proxy has no access to Apple's service.
    var hasSaidNoService = false
  }

  /// Devices of Apple's that were forgotten, each once for each key.
  struct Forgotten {
    /// Their addresses were never the app's.
    var bad = 0
    /// They are gone.
    var unregistered = 0
  }

  /// A device of a key.
  private struct Registered: Hashable {
    let target: PushTarget
    let key: PublicKey
  }

  private let registrations: any RegistrationsStore
  /// Removes devices, so that the threads that send do not wait for the store. A device that has no room in the queue is refused again at its
  /// next wake, and is removed then.
  private let forgetting = WorkQueue(threads: 1)
  private let remark: @Sendable (Remark) -> Void
  private let state = Locked(State())
  private let counted = Locked(Forgotten())
  private let woken = Locked(
    PacedKeys<Registered>(interval: Retention.renewing * 1_000, burst: 1, limit: Retention.mostRemembered))

  init(_ registrations: any RegistrationsStore, _ remark: @escaping @Sendable (Remark) -> Void) {
    (self.registrations, self.remark) = (registrations, remark)
  }

  func settled(_ wake: Wake, _ outcome: WakeOutcome) {
    if outcome == .delivered { delivered(wake) }
    guard case .apple = wake.target else { return }
    let isNews = state.withLock { state in
      if outcome == .delivered { state.hasDelivered = true }
      guard outcome == .noService else { return false }
      defer { state.hasSaidNoService = true }
      return !state.hasSaidNoService
    }
    if isNews { remark(.trouble(Self.noService)) }
  }

  /// Notes that the device is woken still. If there is no room in the queue, a wake a week later notes it.
  private func delivered(_ wake: Wake) {
    let registered = Registered(target: wake.target, key: wake.signer)
    guard woken.withLock({ $0.take(registered, now: Clock.bootMilliseconds) }) else { return }
    _ = forgetting.add(256) { [registrations] in try? registrations.renew(wake.target, of: wake.signer, now: Clock.seconds) }
  }

  /// Removes what was not heard of for long. Returns at once.
  func expire() {
    _ = forgetting.add(256) { [registrations] in _ = try? registrations.expire(now: Clock.seconds) }
  }

  /// Removes the device soon. Returns at once.
  /// - Parameter since: when the service knew, in milliseconds since 1970.
  func gone(_ target: PushTarget, since: Int64?, isUnregistered: Bool = true) {
    let isApple = if case .apple = target { true } else { false }
    if isApple, !mayForgetAppleDevices() { return }
    _ = forgetting.add(256) { [registrations, counted] in
      let count = (try? registrations.forget(target, before: since.map { $0 / 1_000 })) ?? 0
      guard isApple else { return }
      counted.withLock { if isUnregistered { $0.unregistered += count } else { $0.bad += count } }
    }
  }

  /// What was forgotten since the start.
  var forgotten: Forgotten { counted.withLock { $0 } }

  /// Removes the devices that wait in the queue, then ends.
  func stop() { forgetting.stop() }

  private func mayForgetAppleDevices() -> Bool {
    let (may, isFirst) = state.withLock { state in
      defer { state.hasRemarked = state.hasRemarked || !state.hasDelivered }
      return (state.hasDelivered, !state.hasRemarked)
    }
    if !may, isFirst { remark(.trouble(Self.warning)) }
    return may
  }

  private static let noService = """
    A device of Apple's is registered, and could not be woken: this proxy has no key for Apple's service. Give it --apns-key and what belongs to \
    it. Proxies that share a database need the same key: any of them may wake any device.
    """

  private static let warning = """
    Apple's service refuses a device that is registered here, and has not taken any wake yet. No device is forgotten for now. Check that \
    --apns-topic is the app's bundle id, and that --apns-host is the service for apps of the App Store (api.push.apple.com) or, for apps in \
    development, api.sandbox.push.apple.com.
    """
}
