import AuditLog
import DaemonSupport
import Encodings
import JSON
import Nostr
import OwnerAPI
import Platform
import RemoteSigning
import TestSupport
import Testing
import Vault

@testable import Signer

@Suite struct SessionTests {
  @Test("By default the session locks when the machine sleeps, and not by time or with the desktop")
  func asItComesItLocksWithSleepOnly() throws {
    let signer = try Signer()
    let shown = try signer.operations.ask("session/show")
    #expect(shown["locked"] == false && shown["lock_after"]?.isNull == true && shown["until"]?.isNull == true)
    #expect(shown["lock_on_suspend"] == true && shown["lock_on_desktop_lock"] == false)
    signer.close()
  }

  @Test("Session settings survive a restart") func whatIsSetHoldsOverARestart() throws {
    let signer = try Signer()
    let set = try signer.operations.ask(
      "session/set", ["lock_after": 300, "lock_on_suspend": false, "lock_on_desktop_lock": true])
    #expect(set["lock_after"] == 300 && (set["until"]?.integer ?? 0) >= Clock.seconds + 299)
    let again = try signer.reopened()
    let shown = try again.operations.ask("session/show")
    #expect(shown["lock_after"] == 300 && shown["lock_on_suspend"] == false && shown["lock_on_desktop_lock"] == true)
    #expect(try again.operations.ask("session/set", ["lock_after": .null])["lock_after"]?.isNull == true)
    #expect(try again.operations.ask("session/show")["lock_on_desktop_lock"] == true, "the rest stays")
    #expect(try again.entries(.settingChanged).count == 2)
    again.close()
  }

  @Test(
    "Invalid session settings are refused",
    arguments: [
      "{}", #"{"lock_after":0}"#, #"{"lock_after":31536001}"#, #"{"lock_after":"5m"}"#, #"{"lock_on_suspend":"on"}"#,
    ])
  func refusesWhatIsNoSetting(parameters: String) throws {
    let signer = try Signer()
    #expect(exit(signer.operations, "session/set", try JSONValue(parsing: Array(parameters.utf8))) == .usage)
    signer.close()
  }

  @Test("Inactivity locks the session, and apps' requests do not count as activity")
  func inactivityLocksAndWhatAppsAskIsNoActivity() throws {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "full")
    signer.core.session.begin()
    let locked = Locked(false)
    signer.core.signerEvents.subscribe { [core = signer.core] signerEvent in
      if case .lockChanged = signerEvent, core.sessionLock.isLocked { locked.change { $0 = true } }
    }
    try signer.operations.ask("session/set", ["lock_after": 1])
    // It asks all the while, and does not keep the session open by it.
    while locked.wait(milliseconds: 100, until: { $0 ? true : nil }) == nil { try signer.deliver(app, "ping") }
    #expect(signer.core.sessionLock.isLocked && signer.core.vault.isLocked)
    #expect(try signer.entries(.locked).map { $0.rule?.description } == ["nothing was done for a while"])
    #expect(try signer.operations.ask("session/show")["until"]?.isNull == true)
    // Unlocked, it counts anew.
    _ = try SessionLockTests.unlock(signer)
    #expect(try signer.operations.ask("session/show")["until"]?.isNull == false)
    signer.close()
  }

  @Test("Stored session settings that cannot be read are ignored, and valid ones read back as they were")
  func aSettingThatCannotBeReadIsAsItComes() {
    for record in ["", "{}", #"{"lock_after":-1,"lock_on_suspend":true,"lock_on_desktop_lock":true}"#] {
      #expect(SessionSettings(Array(record.utf8)) == nil)
    }
    var settings = SessionSettings()
    settings.lockAfter = 90
    #expect(SessionSettings(JSONValue.object(settings.members).serialized()) == settings)
  }

  @Test("After the session locks for inactivity, no key is in memory") func afterInactivityNoKeyIsInMemory() throws {
    let signer = try Signer()
    let canary = Canary(0x4b33)
    try signer.operations.ask("identity/import", ["name": "canary"], secrets: ["key": try box(canary.array.hex)])
    #expect(MemoryScan.occurrences(of: canary) > 0)
    signer.core.session.begin()
    let locked = Locked(false)
    signer.core.signerEvents.subscribe { signerEvent in if case .lockChanged = signerEvent { locked.change { $0 = true } } }
    try signer.operations.ask("session/set", ["lock_after": 1])
    #expect(locked.wait(milliseconds: 10_000, until: { $0 ? true : nil }) == true)
    signer.settle()
    #expect(MemoryScan.occurrences(of: canary) == 0)
    signer.close()
  }
}
