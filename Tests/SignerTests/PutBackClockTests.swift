import DaemonSupport
import Foundation
import JSON
import OwnerAPI
import Platform
import SecretMemory
import TestSupport
import Testing
import Vault

@testable import OwnerOperations
@testable import Signer
@testable import VaultRepair

/// Attempts that a vault has forgotten are told by counts: no clock raises an alarm or keeps one from being raised.
@Suite struct PutBackClockTests {
  private static let day: Int64 = 86_400_000

  /// The right passphrase by a clock that is wrong, and the end before the log has an entry.
  private func open(_ home: TestHome, at time: Int64) throws {
    try Vault.open(
      home: home.path, with: PassphraseOpener(box(TestHome.passphrase)), now: time, log: home.home.logObserver, kinds: .holdfast
    )
    .close()
  }

  private func fail(_ home: TestHome) { for _ in 0..<2 { _ = failure { try home.core("wrong horse") } } }

  @Test("Setting the clock back between a wrong and the correct passphrase raises no alarm") func setBack() throws {
    let home = try TestHome().withVault()
    fail(home)
    try open(home, at: Clock.milliseconds - Self.day)
    try home.core().close()
    // Nor where the vault was only looked at.
    fail(home)
    let credential = ShownCredential(passphrase: try box(TestHome.passphrase))
    #expect(try Opening.checkVault(home: home.home, credential: credential).json["ok"] == true)
    try open(home, at: Clock.milliseconds - 2 * Self.day)
    try home.core().close()
  }

  @Test("Attempts missing from an older vault are found even if it was last opened with the clock ahead")
  func setAhead() throws {
    let home = try TestHome().withVault()
    try open(home, at: Clock.milliseconds + Self.day)
    let before = try unwrap(FileManager.default.contents(atPath: home.path + "/vault.db"))
    fail(home)
    try before.write(to: URL(fileURLWithPath: home.path + "/vault.db"))
    let core = try home.core()
    #expect(core.sessionLock.isSuspended && core.sessionLock.remarks.first?.hasPrefix("2 wrong passphrases") == true)
    core.close()
  }

  @Test("While the log cannot be read, the correct passphrase does not clear failed attempts") func unreadable() throws {
    let home = try TestHome().withVault()
    fail(home)
    let log = try DamagedLog(of: home)
    #expect(failure { try home.core() }?.exit == .failed)
    try log.mend()
    try home.core().close()
  }

  @Test("While the log is missing, the correct passphrase does not clear failed attempts, and its return raises no alarm")
  func away() throws {
    let home = try TestHome().withVault()
    try home.core().close()
    fail(home)
    let (log, away) = (home.path + "/log", home.path + "/away")
    try FileManager.default.moveItem(atPath: log, toPath: away)
    #expect(failure { try home.core() } != nil)
    try? FileManager.default.removeItem(atPath: log)
    try FileManager.default.moveItem(atPath: away, toPath: log)
    let core = try home.core()
    #expect(core.sessionLock.tried == nil)
    core.close()
  }
}
