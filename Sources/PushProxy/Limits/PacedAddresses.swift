import Sockets

/// A rate limit for each network address, and for all IPv6 addresses with the same first 48 bits together: one customer can have thousands of
/// IPv6 networks. No clock.
struct PacedAddresses {
  /// How many times as much the IPv6 addresses with the same first 48 bits may do together.
  static let site: Int64 = 4
  /// The most addresses that are remembered.
  private static let mostRemembered = 20_000

  private var holders: PacedKeys<Holder>
  private var sites: PacedKeys<NetworkAddress>

  /// - Parameters:
  ///   - count: how often an address may do something at once, and in `period`.
  ///   - period: in milliseconds.
  init(_ count: Int64, in period: Int64) {
    holders = PacedKeys(interval: period / count, burst: count, limit: Self.mostRemembered)
    sites = PacedKeys(interval: period / (count * Self.site), burst: count * Self.site, limit: Self.mostRemembered)
  }

  /// Counts once, if the address may.
  /// - Parameter now: milliseconds of a clock that never goes back.
  mutating func take(_ holder: Holder, now: Int64) -> Bool {
    guard let site = Self.site(of: holder) else { return holders.take(holder, now: now) }
    return sites.has(site, now: now) && holders.take(holder, now: now) && sites.take(site, now: now)
  }

  /// Takes back what was counted once and not done.
  mutating func giveBack(_ holder: Holder) {
    holders.giveBack(holder)
    if let site = Self.site(of: holder) { sites.giveBack(site) }
  }

  private static func site(of holder: Holder) -> NetworkAddress? {
    guard case .network(let address) = holder, !address.isV4 else { return nil }
    return address.site
  }
}
