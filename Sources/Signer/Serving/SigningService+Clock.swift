import AuditLog
import Platform
import RemoteSigning

/// The time of a request, and the check whether the clock was set before it.
extension SigningService {
  var seconds: Int64 { milliseconds() / 1000 }

  /// The current time, after a check whether the clock was set. If it was set back, in one step or in several small ones, ids
  /// that were forgotten are restored from the log. If it was set forward, ids that were too far ahead at the start are restored,
  /// as on a machine that wakes up with an early clock.
  /// - Returns: nil when the log could not be read: then it is unknown which requests were already answered. While the session is
  ///   locked, apps are told so for some minutes, as after a start.
  func checkedTime() -> Int64? {
    // Under the lock: no request is checked before the ids are restored, and no time is compared with a later one.
    lastLook.withLock { last in
      let (now, boot) = (seconds, Clock.boot)
      guard Self.isClockSet(last, now, boot) else {
        last = (max(last.second, now), boot)
        return now
      }
      do throws(AuditLogError) { try home.restoreSeen(now: now, isClockSet: true) } catch {
        guard error == .locked else { return nil }
        home.doubtUntilRead(now: now)
      }
      last = (now, boot)
      return now
    }
  }

  /// The current time, for a thread that must not wait.
  /// - Returns: nil when the clock was set, or another thread is checking that.
  func timeAtOnce() -> Int64? {
    lastLook.withLockIfFree { last in
      let (now, boot) = (seconds, Clock.boot)
      guard !Self.isClockSet(last, now, boot) else { return nil }
      last = (max(last.second, now), boot)
      return now
    } ?? nil
  }

  private static func isClockSet(_ last: (second: Int64, boot: Int64), _ now: Int64, _ boot: Int64) -> Bool {
    let isSetBack = now < last.second - SeenEvents.toleratedStep
    let isSetForward = now - last.second > boot - last.boot + SeenEvents.toleratedStep
    return isSetBack || isSetForward
  }
}
