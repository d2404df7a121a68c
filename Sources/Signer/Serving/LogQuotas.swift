internal import Curve
internal import Platform
internal import RemoteSigning

/// How much of the log each app may fill in a day, so that none of them takes the disk from the others and from the owner.
package final class LogQuotas: Sendable {
  /// What a request takes at most, in bytes: two entries.
  static let bytesPerRequest: Int64 = 2 * 472
  /// A day, in seconds since the machine's start: setting the clock changes nothing.
  static let span: Int64 = 86_400
  /// The part of the free disk that one app may fill.
  static let partOfFreeDisk: Int64 = 4

  /// Bytes a day under that trust. Under full trust only the disk counts.
  static func most(_ trust: TrustLevel) -> Int64 {
    switch trust {
    case .low: 256 << 20
    case .medium: 1 << 30
    case .full: .max
    }
  }

  /// With less than this free, in bytes, the disk is full for everybody: the log says so itself.
  static let leastFree: Int64 = 1 << 20

  private struct Share {
    let began: Int64
    /// How much of it there is, by the trust and the disk.
    var most: Int64
    var used: Int64 = 0
  }

  private let shares = Locked<[PublicKey: Share]>([:])
  private let leastFree: Int64
  private let free: @Sendable () -> Int64?

  /// - Parameter free: bytes that are free on the log's disk; nil when nobody can say.
  init(leastFree: Int64 = leastFree, free: @escaping @Sendable () -> Int64?) { (self.leastFree, self.free) = (leastFree, free) }

  /// Takes room for one request.
  /// - Parameters:
  ///   - trust: of the app that asks.
  ///   - now: seconds since the machine's start.
  /// - Returns: false when the app's share is used up.
  func take(_ app: PublicKey, _ trust: TrustLevel, now: Int64) -> Bool {
    shares.withLock { shares in
      if Self.takeKnown(app, trust, now, &shares) { return true }
      var share = shares[app] ?? Share(began: now, most: 0)
      if now - share.began >= Self.span { share = Share(began: now, most: 0) }
      defer { shares[app] = share }
      let needed = share.used + Self.bytesPerRequest
      do {
        let free = free() ?? .max
        guard free >= leastFree else { return true }
        // What the app has written is missing in what is free.
        let all = free.addingReportingOverflow(share.used)
        share.most = min(Self.most(trust), (all.overflow ? .max : all.partialValue) / Self.partOfFreeDisk)
      }
      guard needed <= share.most else { return false }
      share.used = needed
      return true
    }
  }

  /// As `take`, for a thread that may not wait for the disk.
  /// - Returns: false also when nobody can say without asking for the free room; then nothing was taken.
  func takeAtOnce(_ app: PublicKey, _ trust: TrustLevel, now: Int64) -> Bool {
    shares.withLockIfFree { Self.takeKnown(app, trust, now, &$0) } ?? false
  }

  private static func takeKnown(_ app: PublicKey, _ trust: TrustLevel, _ now: Int64, _ shares: inout [PublicKey: Share]) -> Bool {
    guard let share = shares[app], now - share.began < span, share.most <= most(trust) else { return false }
    let needed = share.used + bytesPerRequest
    guard needed <= share.most else { return false }
    shares[app]?.used = needed
    return true
  }

  /// Forgets apps that are not paired any more.
  func keep(_ apps: Set<PublicKey>) { shares.withLock { $0 = $0.filter { apps.contains($0.key) } } }
}
