import Platform
import Sockets

/// How many devices one network address may register that were not registered before. A device counts once for each key.
final class NewDevices: Sendable {
  /// At once, and in a day. The IPv6 addresses with the same first 48 bits together: four times as many.
  static let perDay: Int64 = 500

  private let pace: Locked<PacedAddresses>

  init(perDay: Int64 = perDay) { pace = Locked(PacedAddresses(perDay, in: 86_400_000)) }

  /// Counts one, if the address may register it.
  /// - Parameter now: milliseconds of a clock that never goes back.
  func take(_ holder: Holder, now: Int64) -> Bool { pace.withLock { $0.take(holder, now: now) } }

  /// Takes back one that was counted and not added.
  func giveBack(_ holder: Holder) { pace.withLock { $0.giveBack(holder) } }

  static let refusal = ProxyRefusal(
    429, .novelDeviceRate, "Too many new devices were registered from this address today. Try again later.",
    [.init(name: "limit", value: perDay)])
}
