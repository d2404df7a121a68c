import Curve
import Platform
import RemoteSigning

/// How much of the log each app may fill in a day, so that no app takes the disk from other apps and the owner.
package final class LogQuotas: Sendable {
  /// The most bytes for one request: two entries.
  static let bytesPerRequest: Int64 = 2 * 472
  /// A day in seconds, measured since the machine's start. Setting the clock has no effect.
  static let span: Int64 = 86_400
  /// One app may fill the free disk space divided by this.
  static let partOfFreeDisk: Int64 = 4

  /// Bytes a day for a trust level. Under full trust only the disk counts.
  static func most(_ trust: TrustLevel) -> Int64 {
    switch trust {
    case .low: 256 << 20
    case .medium: 1 << 30
    case .full: .max
    }
  }

  /// With fewer free bytes, the disk counts as full for everybody, which the log reports itself.
  static let leastFree: Int64 = 1 << 20

  private struct Share {
    let began: Int64
    /// The size of the share, by trust level and disk.
    var most: Int64
    var used: Int64 = 0
  }

  private let shares = Locked<[PublicKey: Share]>([:])
  private let leastFree: Int64
  private let free: @Sendable () -> Int64?

  /// - Parameter free: free bytes on the log's disk; nil when unknown.
  init(leastFree: Int64 = leastFree, free: @escaping @Sendable () -> Int64?) { (self.leastFree, self.free) = (leastFree, free) }

  /// Reserves space for one request.
  /// - Parameters:
  ///   - trust: of the requesting app.
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
        // What the app has written is no longer part of the free space.
        let all = free.addingReportingOverflow(share.used)
        share.most = min(Self.most(trust), (all.overflow ? .max : all.partialValue) / Self.partOfFreeDisk)
      }
      guard needed <= share.most else { return false }
      share.used = needed
      return true
    }
  }

  /// Like `take`, on a thread that must not wait for the disk.
  /// - Returns: false also when the answer requires reading the free space; nothing was reserved then.
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

  /// Forgets apps that are no longer paired.
  func keep(_ apps: Set<PublicKey>) { shares.withLock { $0 = $0.filter { apps.contains($0.key) } } }
}
