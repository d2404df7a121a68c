internal import Curve
internal import Locks
internal import RemoteSigning

/// How much of the log each app may fill in a day, so that none of them takes the disk from the others and from the owner.
final class LogShares: Sendable {
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

  private struct Share {
    let began: Int64
    /// What was free on the disk when it began.
    let free: Int64
    var used: Int64 = 0
  }

  private let shares = Locked<[PublicKey: Share]>([:])
  private let free: @Sendable () -> Int64?

  /// - Parameter free: bytes that are free on the log's disk; nil when nobody can say.
  init(free: @escaping @Sendable () -> Int64?) { self.free = free }

  /// Takes room for one request.
  /// - Parameters:
  ///   - trust: of the app that asks.
  ///   - now: seconds since the machine's start.
  /// - Returns: false when the app's share is used up.
  func take(_ app: PublicKey, _ trust: TrustLevel, now: Int64) -> Bool {
    shares.withLock { shares in
      var share = shares[app] ?? Share(began: now, free: free() ?? .max)
      if now - share.began >= Self.span { share = Share(began: now, free: free() ?? .max) }
      guard share.used + Self.bytesPerRequest <= min(Self.most(trust), share.free / Self.partOfFreeDisk) else {
        shares[app] = share
        return false
      }
      share.used += Self.bytesPerRequest
      shares[app] = share
      return true
    }
  }

  /// Forgets apps that are not paired any more.
  func keep(_ apps: Set<PublicKey>) { shares.withLock { $0 = $0.filter { apps.contains($0.key) } } }
}
