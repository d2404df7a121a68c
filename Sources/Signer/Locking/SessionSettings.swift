import Identities
package import JSON
import Vault

/// When the owner's session locks automatically.
///
/// A signer that stops signing after five minutes would ask for its passphrase all day, until the owner chooses a short one.
/// Therefore it continues until the machine sleeps, unless the owner decides otherwise. Identities of the class afterFirstUnlock
/// sign all the time.
package struct SessionSettings: Equatable {
  /// The shortest and the longest time, in seconds.
  package static let range: ClosedRange<Int64> = 1...31_536_000

  /// Seconds without an operation of the owner; nil for never.
  package var lockAfter: Int64?
  package var locksOnSuspend = true
  package var locksOnDesktopLock = false

  var policy: SessionPolicy {
    SessionPolicy(inactivity: lockAfter, locksOnSuspend: locksOnSuspend, locksOnDesktopLock: locksOnDesktopLock)
  }

  /// Whether a session would stay unlocked for longer than under `other`.
  package func isLooser(than other: SessionSettings) -> Bool {
    lockAfter ?? .max > other.lockAfter ?? .max || other.locksOnSuspend && !locksOnSuspend
      || other.locksOnDesktopLock && !locksOnDesktopLock
  }

  // The setting `session` of the vault: lock_after (seconds or null), lock_on_suspend, lock_on_desktop_lock.
  package static let id = Array("session".utf8)

  package var members: [JSONValue.Member] {
    [
      .init("lock_after", lockAfter.map { .integer($0) } ?? .null), .init("lock_on_suspend", .bool(locksOnSuspend)),
      .init("lock_on_desktop_lock", .bool(locksOnDesktopLock)),
    ]
  }

  package init() {}

  init?(_ record: [UInt8]) {
    guard let value = try? JSONValue(parsing: record), let suspend = value["lock_on_suspend"]?.bool,
      let desktop = value["lock_on_desktop_lock"]?.bool, let after = value["lock_after"]
    else { return nil }
    if !after.isNull {
      guard let seconds = after.integer, Self.range.contains(seconds) else { return nil }
      lockAfter = seconds
    }
    (locksOnSuspend, locksOnDesktopLock) = (suspend, desktop)
  }
}
