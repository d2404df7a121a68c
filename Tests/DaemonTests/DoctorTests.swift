import Curve
import Foundation
import JSON
import LocalAccess
import Locks
import Nostr
import Relays
import SecretMemory
import Sockets
import Testing

@testable import Daemon

/// `holdfast doctor`: what is well is called well, and each trouble is found and comes with advice.
@Suite struct DoctorTests {
  private static func examine(_ home: TestHome, words: String? = TestHome.passphrase, relays: [String] = []) throws -> [Finding] {
    var all: [Finding] = []
    let doctor = Doctor(home: home.home, relays: relays)
    let evidence: Evidence? = if let words { Evidence(passphrase: try box(words)) } else { nil }
    doctor.examine(evidence: evidence) { findings, _, _ in all += findings }
    return all
  }

  @Test func aFreshVaultIsWellAndEveryKnownClientPairs() throws {
    let findings = try Self.examine(TestHome().withVault())
    #expect(findings.filter { $0.verdict == .bad }.isEmpty)
    #expect(findings.filter { $0.check == "client" && $0.verdict == .good }.count == Habits.all.count)
    #expect(findings.allSatisfy { ($0.advice != nil) == ($0.verdict != .good) })
  }

  @Test func nothingIsLeftOfTheTrialSigner() throws {
    let relay = try Self.withPassingSigner { signer, home in
      #expect(access(home, F_OK) == 0 && signer.link() != nil)
      return home
    }
    #expect(access(relay, F_OK) != 0)
  }

  private static func withPassingSigner<Result>(_ body: (PassingSigner, String) throws -> Result) throws -> Result {
    let signer = try PassingSigner(at: nil)
    defer { signer.end() }
    return try body(signer, signer.home.path)
  }

  @Test func aMissingVaultAndAWrongPassphraseAreFound() throws {
    let nowhere = try Self.examine(TestHome())
    #expect(
      nowhere.contains { $0.check == "folder" && $0.verdict == .bad }
        && nowhere.contains { $0.check == "vault" && $0.verdict == .bad })
    let wrong = try Self.examine(TestHome().withVault(), words: "wrong")
    #expect(wrong.contains { $0.check == "vault" && $0.verdict == .bad && $0.found.contains("passphrase") })
  }

  @Test func filesOpenToOthersAreNamed() throws {
    let home = try TestHome().withVault()
    chmod(home.path + "/vault.db", 0o644)
    let found = FileChecks.all(home: home.home)
    #expect(found.contains { $0.check == "file-permissions" && $0.verdict == .bad && $0.found.contains("vault.db") })
    chmod(home.path, 0o755)
    #expect(FileChecks.all(home: home.home).contains { $0.check == "folder" && $0.verdict == .bad })
  }

  @Test(arguments: [
    (1_790_000_000, 1, Finding.Verdict.good), (1_790_000_000, 0, .warning), (1_790_000_000, -1, .good), (0, 1, .bad),
    (Int64.max, 1, .bad),
  ])
  func theClockIsJudged(now: Int64, isKept: Int32, verdict: Finding.Verdict) {
    #expect(MachineChecks.clock(now: now, isKept: isKept).verdict == verdict)
  }

  @Test func aFullDiskIsFound() { #expect(MachineChecks.disk(Home("/"), free: 1 << 20).verdict == .bad) }

  @Test(arguments: [
    (Habits.Acceptance.ackOnly, "ack", true), (.ackOnly, "s3cret", false), (.secretOnly, "s3cret", true),
    (.secretOnly, "ack", false),
    (.ackOrSecret, "ack", true), (.ackOrSecret, "s3cret", true), (.ackOrSecret, "yes", false), (.anything, "yes", true),
    (.anything, "", false),
  ])
  func eachLibraryTakesWhatItTakes(acceptance: Habits.Acceptance, result: String, isTaken: Bool) {
    #expect(acceptance.takes(result, secret: "s3cret") == isTaken)
  }

  @Test func aRelayThatIsAwayOrNoneIsFound() throws {
    let loop = try EventLoop()
    loop.start()
    defer { loop.stop(within: 100) }
    let checks = RelayChecks(loop: loop)
    for relay in ["ws://127.0.0.1:1/", "nonsense", "wss://\u{1B}[2J"] {
      let finding = checks.look(at: relay, isEmbedded: false, isOwners: true)
      #expect(finding.verdict == .bad && !finding.found.contains("\u{1B}"))
    }
  }
}
