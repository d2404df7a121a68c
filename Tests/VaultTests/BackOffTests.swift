import SecretMemory
import TestSupport
import Testing

@testable import Vault

@Suite struct BackOffTests {
  @Test(
    "The waits after failed attempts grow up to a limit",
    arguments: [(0, 0), (2, 0), (3, 1), (4, 2), (5, 4), (12, 512), (13, 900), (14, 900), (1_000_000, 900)])
  func waitsGrowAndEnd(failures: Int, seconds: Int) {
    #expect(Attempts(failures: failures, failedAt: 0).wait == seconds)
  }

  @Test(
    "A clock that jumps never makes the wait longer",
    arguments: [
      (0, 4000), (1, 3999), (3999, 1), (4000, 0), (.max, 0),
      (-1, 4000), (-1_000_000_000, 4000), (.min, 4000),  // set back: as long as from the start, not longer
    ] as [(Int64, Int64)])
  func aClockThatJumpsChangesLittle(passed: Int64, remaining: Int64) {
    #expect(Attempts(failures: 5, failedAt: 0).remaining(now: passed) == remaining)
  }

  @Test("Extreme times do not crash the calculation of the wait") func extremeTimesDoNotTrap() {
    #expect(Attempts(failures: 5, failedAt: .min).remaining(now: .max) == 0)
    #expect(Attempts(failures: 5, failedAt: .max).remaining(now: .min) == 4000)
  }

  @Test("The wait after wrong passphrases holds across reopening") func wrongPassphrasesWaitAcrossReopening() throws {
    let home = TemporaryHome()
    try home.create().close()
    var now: Int64 = 5_000_000
    #expect(throws: VaultError.wrongPassphrase(waitSeconds: 0)) { try home.open("no", now: now) }
    #expect(throws: VaultError.wrongPassphrase(waitSeconds: 0)) { try home.open("no", now: now) }
    #expect(throws: VaultError.wrongPassphrase(waitSeconds: 1)) { try home.open("no", now: now) }
    #expect(throws: VaultError.throttled(waitSeconds: 1)) { try home.open("no", now: now + 999) }
    // Throttled even with the right one: nothing is tried.
    #expect(throws: VaultError.throttled(waitSeconds: 1)) { try home.open(now: now + 1) }
    now += 1000
    #expect(throws: VaultError.wrongPassphrase(waitSeconds: 2)) { try home.open("no", now: now) }
    #expect(throws: VaultError.throttled(waitSeconds: 2)) { try home.open("no", now: now) }
    now += 2000
    let vault = try home.open(now: now)
    #expect(vault.failedAttempts == 4)
    vault.close()
    // The right one clears the count.
    #expect(throws: VaultError.wrongPassphrase(waitSeconds: 0)) { try home.open("no", now: now) }
  }

  @Test("A clock that is set back does not lock the owner out") func aClockSetBackDoesNotLockTheOwnerOut() throws {
    let home = TemporaryHome()
    try home.create().close()
    for _ in 0..<3 { #expect(throws: VaultError.self) { try home.open("no", now: 9_000_000_000) } }
    #expect(throws: VaultError.throttled(waitSeconds: 1)) { try home.open(now: 1000) }
    #expect(throws: VaultError.throttled(waitSeconds: 1)) { try home.open(now: 1500) }
    try home.open(now: 2000).close()
  }

  @Test("An attempt counts even when its process is killed") func anAttemptCountsEvenWhenItsProcessIsKilled() throws {
    let home = TemporaryHome()
    try home.create().close()
    try home.edit { database in
      let before = try AttemptTable.begin(in: database, now: 7)  // and never comes back
      #expect(before == Attempts(failures: 0, failedAt: 0))
    }
    #expect(try home.open().failedAttempts == 1)
  }
}
