import Ciphers
package import Curve
import Encodings
import JSON

/// One key of the signer at one proxy for one device: what the proxy acknowledged, what it should have, and when it is asked next.
///
/// A value without I/O. Each key is registered by itself; nothing here names another one.
package struct Registration: Sendable, Equatable {
  /// What is asked of the proxy.
  enum Step: Sendable, Equatable {
    case register
    case pair(relays: [String])
    case unpair
    case unregister
  }

  /// The signer's key for one app.
  package let signer: PublicKey
  /// The app's key.
  package let client: PublicKey
  package let proxy: ProxyAddress
  let device: PushDevice

  /// Whether an app uses the key, and the owner wants this proxy and device.
  package internal(set) var isWanted = true
  /// The app's relays.
  var relays: [String]
  /// When the proxy first acknowledged the device, in seconds since 1970; nil for not yet.
  package internal(set) var since: Int64?
  /// When it last did.
  var renewed: Int64?
  /// The relays of the app that it acknowledged.
  var pairedRelays: [String] = []
  /// Whether the proxy may have the device, because it was asked to register it.
  var isAsked = false
  /// Whether the proxy may know the app.
  var isPairAsked = false
  /// Attempts that failed since nothing was left to ask. A proxy that takes one step and forgets it at the next one is asked as rarely as one
  /// that takes none.
  var attempts = 0
  /// When the proxy is asked next, in seconds since 1970.
  package internal(set) var next: Int64
  /// Why the last attempt failed, in words of our own, and what the proxy says of it in quotation marks; nil for nothing.
  package internal(set) var error: String?

  /// How long a registration stands before it is renewed, in seconds, at most: the proxy may have lost its memory.
  static let renewal: Int64 = 86_400
  /// The pause after the first attempt that failed, in seconds. Each further pause is three times as long.
  static let firstPause: Int64 = 5
  /// The longest pause, in seconds.
  static let longestPause: Int64 = 3_600
  /// How late a key is unregistered at most, in seconds: its end and the beginning of another one must not come together.
  static let farewell: Int64 = 60
  /// The most relays that a proxy takes for an app.
  static let mostRelays = 10

  init(_ key: AppKey, at plan: PushPlan, next: Int64) {
    (signer, client, proxy, device) = (key.signer, key.client, plan.proxy, plan.device)
    (relays, self.next) = (Array(key.relays.prefix(Self.mostRelays)), next)
  }

  /// Its id in the vault: the same for the same key, proxy and device.
  var id: Bytes32 { Self.id(signer, proxy, device) }

  static func id(_ signer: PublicKey, _ proxy: ProxyAddress, _ device: PushDevice) -> Bytes32 {
    SHA256.digest(of: signer.bytes.array + Array(proxy.text.utf8) + [0] + device.token.serialized())
  }

  /// What is to be asked now. Nil when nothing is, or nothing is left.
  var step: Step? {
    if isWanted {
      if since == nil { return .register }
      return relays.isEmpty || pairedRelays == relays ? nil : .pair(relays: relays)
    }
    if isPairAsked { return .unpair }
    return isAsked ? .unregister : nil
  }

  /// Whether the proxy has all that it should have, and nothing else.
  package var isSettled: Bool { step == nil }

  /// What is asked when its time comes: the open step, or the renewal.
  var dueStep: Step? { step ?? (isWanted ? .register : nil) }

  /// Notes, before the proxy is asked, that it may have been.
  mutating func begin(_ step: Step) {
    switch step {
    case .register: isAsked = true
    case .pair: isPairAsked = true
    case .unpair, .unregister: break
    }
  }

  /// The proxy did what it was asked.
  /// - Parameter chance: 0 up to, not including, 1.
  mutating func succeed(_ step: Step, now: Int64, chance: Double) {
    switch step {
    case .register:
      // A proxy that lost its memory has lost the app's relays, too.
      if since != nil { pairedRelays = [] }
      (since, renewed) = (since ?? now, now)
    case .pair(let relays): pairedRelays = relays
    case .unpair: (isPairAsked, pairedRelays) = (false, [])
    case .unregister: (isAsked, since, renewed) = (false, nil, nil)
    }
    error = nil
    guard self.step == nil else { return next = now }
    attempts = 0
    next = now + Int64(Double(Self.renewal) * (0.5 + chance / 2))
  }

  /// Forgets the pauses of attempts that failed.
  mutating func askAgain(at time: Int64) { (attempts, next) = (0, min(next, time)) }

  /// The proxy did not do it.
  mutating func fail(_ failure: ProxyFailure, now: Int64, chance: Double) {
    if failure.isForgotten { (since, pairedRelays) = (nil, []) }
    // The proxy never had the device and says that it does not take it: there is nothing to unregister.
    if failure.isLasting, since == nil, !isPairAsked { isAsked = false }
    var pause = Self.firstPause
    for _ in 0..<min(attempts, 8) { pause *= 3 }
    attempts += 1
    error = failure.text
    pause = failure.isLasting ? Self.longestPause : min(pause, Self.longestPause)
    let asked = min(failure.retryAfter, Self.longestPause)
    next = now + max(asked, Int64(Double(pause) * (0.5 + chance)))
  }
}

/// A key that requests may come to, with the app that uses it.
package struct AppKey: Sendable, Equatable {
  package let signer: PublicKey
  package let client: PublicKey
  package let relays: [String]

  package init(signer: PublicKey, client: PublicKey, relays: [String]) {
    (self.signer, self.client, self.relays) = (signer, client, relays)
  }
}
