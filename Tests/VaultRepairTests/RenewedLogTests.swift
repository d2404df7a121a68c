import AuditLog
import Curve
import DaemonSupport
import Encodings
import Foundation
import JSON
import OwnerAPI
import OwnerWords
import Platform
import RemoteSigning
import SecretMemory
import TestSupport
import Testing

@testable import OwnerOperations
@testable import Signer
@testable import Vault
@testable import VaultRepair

/// A log that cannot be read vouches for no vault, and each state has one command that leads out of it.
@Suite struct RenewedLogTests {
  private static func credential() throws -> ShownCredential { ShownCredential(passphrase: try box(TestHome.passphrase)) }

  /// Yesterday's vault, in which two apps are paired, beside today's log, which knows that one was revoked; and a link that was open
  /// yesterday.
  private func olderVault() throws -> (home: TestHome, link: App) {
    var signer = try Signer()
    let home = signer.home
    _ = try signer.pairedApp(trust: "full", name: "Lantern")
    let (link, _) = try signer.appWithLink()
    signer.close()
    let yesterday = try unwrap(FileManager.default.contents(atPath: home.path + "/vault.db"))
    signer = try Signer(home)
    try signer.operations.ask("client/revoke", ["client": "Lantern"])
    signer.close()
    try yesterday.write(to: URL(fileURLWithPath: home.path + "/vault.db"))
    return (home, link)
  }

  private func expectSuspended(_ home: TestHome) throws {
    let core = try home.core()
    #expect(core.engine.pairings.map(\.name) == ["Lantern"] && core.engine.pairings.allSatisfy { $0.grant.isSuspended })
    #expect(core.sessionLock.isSuspended)
    let first = try core.log.read(from: 1, limit: 1).first?.entry
    #expect(first?.kind == .vaultAccepted && first?.code == Opening.unvouchedCode)
    core.close()
  }

  @Test("A broken log and its replacement do not make an older vault valid") func renewing() throws {
    let (home, _) = try olderVault()
    _ = try DamagedLog(of: home)
    let refusal = failure { try home.core() }
    #expect(refusal?.exit == .failed && refusal?.hint?.contains("holdfast log renew") == true)
    let renewed = try Opening.renewLog(home: home.home, credential: Self.credential()).json
    #expect(renewed["vouched"] == false && renewed["suspended"] == ["Lantern"])
    try expectSuspended(home)
  }

  @Test("Renewing an unreadable log requires more than the keyring") func proof() throws {
    let (home, _) = try olderVault()
    _ = try DamagedLog(of: home)
    #expect(failure { try Opening.renewLog(home: home.home, credential: ShownCredential(TestKeyring())) } == .keyringIsNoProof)
  }

  @Test("When the log breaks after an older vault was found, the owner is told how to continue") func findingAndBrokenLog() throws
  {
    let (home, _) = try olderVault()
    #expect(failure { try home.core() }?.hint?.contains("holdfast vault accept") == true)
    let whole = failure { try Opening.renewLog(home: home.home, credential: Self.credential()) }
    #expect(whole?.exit == .locked && whole?.hint?.contains("holdfast vault accept") == true)
    _ = try DamagedLog(of: home)
    let broken = failure { try Opening.acceptVault(home: home.home, credential: Self.credential()) }
    #expect(broken?.exit == .failed && broken?.hint?.contains("holdfast log renew") == true)
    _ = try Opening.renewLog(home: home.home, credential: Self.credential())
    try expectSuspended(home)
    #expect(failure { try Opening.acceptVault(home: home.home, credential: Self.credential()) } == .nothingPutBack)
  }

  @Test("When older log entries are damaged, the owner is told how to continue") func damagedInTheMiddle() throws {
    let (home, _) = try olderVault()
    _ = failure { try home.core() }
    // Behind the header and the first record, which no start reads again: only who looks for what is missing does.
    let path = home.home.log + "/audit.log"
    var bytes = [UInt8](try unwrap(FileManager.default.contents(atPath: path)))
    bytes[bytes.count / 2] ^= 1
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let accepted = failure { try Opening.acceptVault(home: home.home, credential: Self.credential()) }
    #expect(accepted?.hint?.contains("holdfast log renew") == true)
    _ = try Opening.renewLog(home: home.home, credential: Self.credential())
    try expectSuspended(home)
  }

  @Test("A readable log proves its vault's state, and a new log changes nothing") func vouched() throws {
    let signer = try Signer()
    let home = signer.home
    _ = try signer.pairedApp(trust: "full", name: "Lantern")
    signer.close()
    #expect(try Opening.renewLog(home: home.home, credential: Self.credential()).json["vouched"] == true)
    let core = try home.core()
    #expect(!core.sessionLock.isSuspended && core.engine.pairings.allSatisfy { !$0.grant.isSuspended })
    core.close()
  }

  @Test("A renewal killed at any step can be repeated with the same command") func killed() throws {
    let (home, _) = try olderVault()
    _ = try DamagedLog(of: home)
    let broken = try home.files()
    _ = try Opening.renewLog(home: home.home, credential: Self.credential())
    // The new log is there, and the vault does not know of it.
    for name in ["vault.db", "vault.db-wal"] {
      let path = home.path + "/" + name
      if let bytes = broken[name] { try Data(bytes).write(to: URL(fileURLWithPath: path)) } else { unlink(path) }
    }
    #expect(failure { try home.core() }?.hint?.contains("holdfast log renew") == true)
    _ = try Opening.renewLog(home: home.home, credential: Self.credential())
    // Or there is none at all.
    try FileManager.default.removeItem(atPath: home.home.log)
    #expect(failure { try home.core() }?.hint?.contains("holdfast log renew") == true)
    _ = try Opening.renewLog(home: home.home, credential: Self.credential())
    try expectSuspended(home)
  }

  @Test("A log removed within the first minute is noticed") func removed() throws {
    let home = try TestHome().withVault()
    try FileManager.default.removeItem(atPath: home.home.log)
    #expect(failure { try home.core() }?.hint?.contains("holdfast log renew") == true)
  }

  @Test("Limits and budgets of an accepted older vault's apps count as used up") func anAcceptedVaultHasSpentItsLimits() throws {
    let signer = try Signer()
    _ = try signer.pairedApp(trust: "full", name: "Lantern")
    let vault = signer.core.vault
    var pairing = try unwrap(Store(vault).pairings().first).value
    pairing.grant.limits.perDay = 5
    let now = Clock.seconds
    try vault.transaction([.put(.pairing, pairing.remoteSigner.bytes.array, pairing.record)])
    try vault.transaction(AcceptedVault(vault, nil, now: now).changes)
    let usage = try unwrap(Store(vault).usage(of: pairing.remoteSigner))
    let spent = Usage(spending: pairing.grant, since: now).record(countedUpTo: now * 1000)
    #expect(usage.usage.record(countedUpTo: usage.countedUpTo) == spent)
    signer.close()
  }

  @Test("An unused link of an older vault pairs nobody, and the app gets an error") func links() throws {
    let (home, link) = try olderVault()
    _ = try Opening.acceptVault(home: home.home, credential: Self.credential())
    let signer = try Signer(home)
    #expect(signer.core.engine.openLinks.isEmpty)
    let withdrawn = App.Seen.error("this link is no longer good: ask for a new one")
    #expect(try signer.ask(link, "connect", [link.signer.hex, "any"]) == withdrawn)
    signer.close()
  }

  @Test("After a kill, a start with the keyring uses no key before the log's last entries are read") func openClass() throws {
    var signer = try Signer()
    let home = signer.home
    try TestKeyring.add(to: signer)
    try signer.sealIdentity(under: .afterFirstUnlock)
    signer.close()
    let yesterday = try home.files()
    signer = try Signer(home)
    _ = try signer.appWithLink()
    signer.settle()
    let killed = try home.files()
    signer.close()
    let ended = try home.files()
    func put(_ files: [String: [UInt8]], _ names: [String]) throws {
      for name in names {
        let path = home.path + "/" + name
        if let bytes = files[name] { try Data(bytes).write(to: URL(fileURLWithPath: path)) } else { unlink(path) }
      }
    }
    func sign() throws -> OperationError.Exit? {
      let core = try Opening.open(home: home.home, credential: ShownCredential(TestKeyring()))
      defer { core.close() }
      #expect(core.vault.isLocked)
      return exit(Operations(home: core, Services(core), running: nil), "sign", ["event": ["kind": 1, "content": "x"]])
    }
    let vault = ["vault.db", "vault.db-wal"]
    try put(killed, ["log/audit.log"])
    try put(yesterday, vault + ["log/audit.head"])
    #expect(try sign() == .locked, "the older vault's key")
    #expect(try sign() == .locked, "however often it starts")
    // A proper end, and attempts with a wrong passphrase since, keep nothing waiting.
    try put(ended, vault + ["log/audit.log", "log/audit.head"])
    #expect(try sign() == nil)
    _ = failure { try home.core("wrong horse") }
    #expect(try sign() == nil)
    #expect(try sign() == nil)
  }
}
