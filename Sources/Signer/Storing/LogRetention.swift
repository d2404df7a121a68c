package import AuditLog
internal import JSON
internal import Platform
package import Vault

/// How long the content of entries is kept.
package enum LogRetention {
  /// Replay defence and the waiting requests look back further than a day: what is younger stays.
  package static let least: Int64 = 7 * 86_400
  /// How often old content is dropped where the owner said so, in seconds. After a failure it waits as long: each attempt reads much
  /// of the log.
  static let pause: Int64 = 86_400
  /// How long the clock must run without being set before content is dropped by it, in seconds: a machine may start with a wrong
  /// clock, and what is dropped is gone for good.
  static let steadyFor: Int64 = 3_600
  /// A clock that is set by less than this, in milliseconds, still counts as steady.
  private static let toleratedStep: UInt64 = 86_400_000

  /// The state of the signer's own drops, which nobody asked for.
  struct Upkeep: Sendable {
    /// The last attempt, in seconds since the machine's start.
    fileprivate(set) var triedAt: Int64?
    /// Whether the last attempt failed, and the owner's own has not succeeded since.
    fileprivate(set) var isFailing = false
    /// How far the clock is from the time since the machine's start, in milliseconds, and since when it has been so far, in seconds
    /// since the machine's start.
    private var clock: (offset: Int64, since: Int64)?

    /// Whether the clock has run for long enough without being set.
    fileprivate mutating func isSteady(now: Int64, time: Int64) -> Bool {
      let offset = time - now * 1_000
      guard let clock, (offset - clock.offset).magnitude <= toleratedStep else {
        clock = (offset, now)
        return false
      }
      return now - clock.since >= steadyFor
    }
  }

  /// - Returns: seconds for a number of days, as `90d`; nil for anything else, and for less than is needed.
  package static func seconds(_ text: String) -> Int64? {
    guard text.utf8.last == UInt8(ascii: "d"), let days = Int64(text.dropLast()), days >= 0, days <= 36_500 else { return nil }
    return days * 86_400 >= least ? days * 86_400 : nil
  }

  // The setting `retention` of the vault: keep (seconds).
  private static let id = Array("retention".utf8)

  /// How long content is kept by itself, in seconds; nil when that was not set.
  package static func daily(_ vault: Vault) throws(VaultError) -> Int64? {
    guard let record = try vault.value(.setting, id: id), let value = try? JSONValue(parsing: record),
      let keep = value["keep"]?.integer, keep >= least
    else { return nil }
    return keep
  }

  /// What stores it; nil for no more.
  package static func change(to keep: Int64?) -> RecordChange {
    guard let keep else { return .delete(kind: .setting, id: id) }
    return .put(.setting, id, JSONValue.object([.init("keep", .integer(keep))]).serialized())
  }
}

extension Core {
  /// Drops old content where the owner said so, once a day, after a failure too, and not before the clock was steady for an hour.
  /// It waits while the session is locked, because the log cannot be read then.
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
      retention.withLock { $0.triedAt = nil }  // locked meanwhile: after the unlocking
    }
  }

  /// Whether old content could not be dropped by itself.
  package var isRetentionFailing: Bool { retention.withLock { $0.isFailing } }

  /// Drops content that is older than so many seconds.
  /// - Parameter time: now, in milliseconds since 1970.
  package func dropContent(keeping keep: Int64, time: Int64) throws(AuditLogError) -> (redacted: UInt64, dropped: UInt64) {
    let done = try log.dropContent(olderThan: time - keep * 1000, now: time)
    retention.withLock { $0.isFailing = false }
    return done
  }
}
