import Curve
import DaemonSupport
import Foundation
import JSON
import Nostr
import OwnerAPI
import Platform
import Relays
import SecretMemory
import Sockets
import Testing

@testable import Doctor
@testable import OwnerOperations
@testable import Signer
@testable import Vault

/// `holdfast doctor`: what is well is called well, and each trouble is found and comes with advice.
@Suite struct DoctorTests {
  private static func examine(_ home: TestHome, words: String? = TestHome.passphrase, relays: [String] = []) throws -> [Finding] {
    var all: [Finding] = []
    let doctor = Doctor(home: home.home, relays: relays)
    let credential: ShownCredential? = if let words { ShownCredential(passphrase: try box(words)) } else { nil }
    doctor.examine(credential: credential) { findings, _, _ in all += findings }
    return all
  }

  @Test("Doctor finds nothing bad in a new vault, and every known app pairs with it")
  func aFreshVaultIsWellAndEveryKnownClientPairs() throws {
    let findings = try Self.examine(TestHome().withVault())
    #expect(findings.filter { $0.verdict == .bad }.isEmpty)
    #expect(findings.filter { $0.check == "client" && $0.verdict == .good }.count == ClientBehaviour.all.count)
    #expect(findings.allSatisfy { ($0.advice != nil) == ($0.verdict != .good) })
  }

  @Test("Before the first app, doctor says that the apps are tried with a temporary signer") func saysWhatTheAppsAreTriedWith()
    throws
  {
    let findings = try Self.examine(TestHome())
    let first = try #require(findings.firstIndex { $0.check == "client" })
    #expect(findings[first - 1].check == "trial-signer" && findings[first - 1].found.contains("not with a signer of yours"))
  }

  @Test("Nothing is left of doctor's temporary signer") func nothingIsLeftOfTheTrialSigner() throws {
    let relay = try Self.withPassingSigner { signer, home in
      #expect(access(home, F_OK) == 0 && signer.link() != nil)
      return home
    }
    #expect(access(relay, F_OK) != 0)
  }

  private static func withPassingSigner<Result>(_ body: (TemporarySigner, String) throws -> Result) throws -> Result {
    let signer = try TemporarySigner(at: nil)
    defer { signer.end() }
    return try body(signer, signer.home.path)
  }

  @Test("Doctor finds a missing vault and a wrong passphrase") func aMissingVaultAndAWrongPassphraseAreFound() throws {
    let nowhere = try Self.examine(TestHome())
    #expect(nowhere.filter { $0.found.contains("There is no vault") }.map(\.check) == ["folder"], "said once")
    let wrong = try Self.examine(TestHome().withVault(), words: "wrong")
    #expect(wrong.contains { $0.check == "vault" && $0.verdict == .bad && $0.found.contains("passphrase") })
  }

  @Test("Doctor finds a log that is missing or ends before the position the vault knows", arguments: [false, true])
  func logPutBack(isGone: Bool) throws {
    let signer = try Signer()
    signer.settle()
    let (home, files) = (signer.home, FileManager.default)
    signer.close()
    let old = home.path + ".old"
    try files.copyItem(atPath: home.home.log, toPath: old)
    defer { try? files.removeItem(atPath: old) }
    #expect(try Self.vaultFindings(home).allSatisfy { $0.check != "log-put-back" })
    let again = try Signer(home)
    again.settle()
    again.close()
    try files.removeItem(atPath: home.home.log)
    if !isGone { try files.moveItem(atPath: old, toPath: home.home.log) }
    let found = try unwrap(try Self.vaultFindings(home).first { $0.check == "log-put-back" })
    #expect(found.verdict == .bad && found.found.contains(isGone ? "is missing" : "rolled back"))
    #expect(VaultChecks.record(home.home).verdict == (isGone ? .warning : .good))
  }

  @Test("A vault with a damaged summary is not reported as older than the log") func lostSummary() throws {
    let home = try TestHome().withVault()
    do {
      let database = try Database(path: home.path + "/vault.db")
      database.foldOnClose()
      try database.run("UPDATE records SET sealed = zeroblob(80) WHERE kind = 0")
    }
    let found = try Self.vaultFindings(home)
    #expect(found.contains { $0.verdict == .bad && $0.found.contains("summary") })
    #expect(found.allSatisfy { $0.check != "vault-put-back" && $0.advice?.contains("vault accept") != true })
  }

  private static func vaultFindings(_ home: TestHome) throws -> [Finding] {
    VaultChecks.closed(home.home, ShownCredential(passphrase: try box(TestHome.passphrase)))
  }

  @Test("Doctor names files and folders that other users can read") func filesOpenToOthersAreNamed() throws {
    let home = try TestHome().withVault()
    chmod(home.path + "/vault.db", 0o644)
    let found = FileChecks.all(home: home.home)
    #expect(found.contains { $0.check == "file-permissions" && $0.verdict == .bad && $0.found.contains("vault.db") })
    chmod(home.path, 0o755)
    #expect(FileChecks.all(home: home.home).contains { $0.check == "folder" && $0.verdict == .bad })
  }

  @Test(
    "Doctor checks the clock",
    arguments: [
      (1_790_000_000, 1, Finding.Verdict.good), (1_790_000_000, 0, .warning), (1_790_000_000, -1, .good), (0, 1, .bad),
      (Int64.max, 1, .bad),
    ])
  func theClockIsJudged(now: Int64, isKept: Int32, verdict: Finding.Verdict) {
    #expect(MachineChecks.clock(now: now, isKept: isKept).verdict == verdict)
  }

  @Test("Doctor finds a full disk") func aFullDiskIsFound() {
    #expect(MachineChecks.disk(Home("/", kinds: .holdfast), free: 1 << 20).verdict == .bad)
  }

  @Test(
    "Doctor knows which answers each library accepts when it pairs",
    arguments: [
      (ClientBehaviour.Acceptance.ackOnly, "ack", true), (.ackOnly, "s3cret", false), (.secretOnly, "s3cret", true),
      (.secretOnly, "ack", false),
      (.ackOrSecret, "ack", true), (.ackOrSecret, "s3cret", true), (.ackOrSecret, "yes", false), (.anything, "yes", true),
      (.anything, "", false),
    ])
  func eachLibraryTakesWhatItTakes(acceptance: ClientBehaviour.Acceptance, result: String, isTaken: Bool) {
    #expect(acceptance.takes(result, secret: "s3cret") == isTaken)
  }

  @Test("Doctor finds relays that are unreachable or invalid") func aRelayThatIsAwayOrNoneIsFound() throws {
    let loop = try EventLoop()
    loop.start()
    defer { loop.stop(within: 100) }
    let checks = RelayChecks(loop: loop)
    for relay in ["ws://127.0.0.1:1/", "nonsense", "wss://\u{1B}[2J"] {
      let finding = checks.look(at: relay, isEmbedded: false, isOwners: true)
      #expect(finding.verdict == .bad && !finding.found.contains("\u{1B}"))
    }
  }

  @Test("Doctor checks a relay in the local network that an app named only if the owner allowed it")
  func doctorKnocksNowhere() throws {
    let loop = try EventLoop()
    loop.start()
    defer { loop.stop(within: 200) }
    let finding = RelayChecks(loop: loop).look(at: "ws://127.0.0.1:1", isEmbedded: false, isOwners: false)
    #expect(finding.found.contains("inside your network"))
    #expect(!RelayChecks(loop: loop).look(at: "ws://127.0.0.1:1", isEmbedded: false, isOwners: true).found.contains("inside"))
  }

  @Test("Doctor compares the log with a checkpoint and says when there is none") func doctorsCheckpoint() throws {
    let signer = try Signer()
    let home = signer.home
    let path = home.path + ".checkpoint"
    defer { unlink(path) }
    func finding() -> [Finding] {
      var all: [Finding] = []
      Doctor(home: home.home, checkpoint: path).examine(credential: nil) { found, _, _ in
        all += found.filter { $0.check == "checkpoint" }
      }
      return all
    }
    #expect(finding().map(\.verdict) == [.warning])
    #expect(CheckpointFile(path: path).keep(signer.core.log))
    signer.close()
    #expect(finding().map(\.verdict) == [.good])
    let other = try Signer()
    #expect(CheckpointFile(path: path).keep(other.core.log))
    other.close()
    #expect(finding().map(\.verdict) == [.bad])
    try Data("somebody else's".utf8).write(to: URL(fileURLWithPath: path))
    #expect(finding().map(\.verdict) == [.warning])
  }
}
