package import AuditLog
import JSON
import Platform
package import Vault

/// How long the content of log entries is kept.
package enum LogRetention {
  /// The shortest period, in seconds. Replay protection and waiting requests need more than the last day.
  package static let least: Int64 = 7 * 86_400
  /// How often old content is dropped automatically, in seconds. It is also the wait after a failure, because each attempt reads
  /// much of the log.
  static let pause: Int64 = 86_400
  /// How long the clock must run without being set before content is dropped by it, in seconds. A machine may start with a wrong
  /// clock, and dropped content is lost.
  static let steadyFor: Int64 = 3_600
  /// A clock that is set by less than this, in milliseconds, still counts as steady.
  private static let toleratedStep: UInt64 = 86_400_000

  /// The state of automatic dropping.
  struct Upkeep: Sendable {
    /// The last attempt, in seconds since the machine's start.
    fileprivate(set) var triedAt: Int64?
    /// Whether the last attempt failed, and the owner has not dropped content successfully since.
    fileprivate(set) var isFailing = false
    /// The difference between the clock and the time since the machine's start, in milliseconds, and since when it has been the
    /// same, in seconds since the machine's start.
    private var clock: (offset: Int64, since: Int64)?

    /// Whether the clock has run long enough without being set.
    fileprivate mutating func isSteady(now: Int64, time: Int64) -> Bool {
      let offset = time - now * 1_000
      guard let clock, (offset - clock.offset).magnitude <= toleratedStep else {
        clock = (offset, now)
        return false
      }
      return now - clock.since >= steadyFor
    }
  }

  /// - Returns: the seconds in a number of days, written as `90d`. Nil for anything else, and for less than the minimum.
  package static func seconds(_ text: String) -> Int64? {
    guard text.utf8.last == UInt8(ascii: "d"), let days = Int64(text.dropLast()), days >= 0, days <= 36_500 else { return nil }
    return days * 86_400 >= least ? days * 86_400 : nil
  }

  // The setting `retention` of the vault: keep (seconds).
  private static let id = Array("retention".utf8)

  /// How long content is kept automatically, in seconds; nil when that is not set.
  package static func daily(_ vault: Vault) throws(VaultError) -> Int64? {
    guard let record = try vault.value(.setting, id: id), let value = try? JSONValue(parsing: record),
      let keep = value["keep"]?.integer, keep >= least
    else { return nil }
    return keep
  }

  /// The change that stores it; nil to stop.
  package static func change(to keep: Int64?) -> RecordChange {
    guard let keep else { return .delete(kind: .setting, id: id) }
    return .put(.setting, id, JSONValue.object([.init("keep", .integer(keep))]).serialized())
  }
}

extension OpenedHome {
  /// Drops old content if the owner has set that, once a day, even after a failure, and not before the clock was steady for an
  /// hour. It waits while the session is locked, because the log cannot be read then.
  /// - Parameters:
  ///   - now: seconds since the machine's start.
  ///   - time: milliseconds since 1970.
  package func dropOldContent(now: Int64 = Clock.boot, time: Int64 = Clock.milliseconds) {
    let keep: Int64? = retention.withLock { upkeep in
      guard upkeep.isSteady(now: now, time: time), upkeep.triedAt.map({ now - $0 >= LogRetention.pause }) ?? true,
        !vault.isLocked, !isUnsure, let keep = (try? LogRetention.daily(vault)) ?? nil
      else { return nil }
      upkeep.triedAt = now
      return keep
    }
    guard let keep else { return }
    do throws(AuditLogError) { _ = try dropContent(keeping: keep, time: time) } catch {
      guard error == .locked else { return retention.withLock { $0.isFailing = true } }
      retention.withLock { $0.triedAt = nil }  // locked in the meantime: try again after the unlock
    }
  }

  /// Whether automatic dropping fails.
  package var isRetentionFailing: Bool { retention.withLock { $0.isFailing } }

  /// Drops content older than the given seconds.
  /// - Parameter time: the current time, in milliseconds since 1970.
  package func dropContent(keeping keep: Int64, time: Int64) throws(AuditLogError) -> (redacted: UInt64, dropped: UInt64) {
    let done = try log.dropContent(olderThan: time - keep * 1000, now: time)
    retention.withLock { $0.isFailing = false }
    return done
  }
}
