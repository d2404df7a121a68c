import JSON
import Testing

@testable import Backups
@testable import Signer

@Suite struct BackupDueTests {
  private func plan(_ change: (inout BackupPlan) -> Void = { _ in }) -> BackupPlan {
    var plan = BackupPlan(place: PlaceText(to: "/x"), every: 86_400, keep: 3, made: 1_000)
    change(&plan)
    return plan
  }

  @Test("The first backup of a plan is due at once") func theFirstIsDueAtOnce() {
    #expect(BackupDue.isDue(plan(), now: 1_000, sinceAttempt: nil))
  }

  @Test("The next backup is due one period later, and a missed one is made up")
  func theNextIsDueAPeriodLaterAndAMissedOneIsMadeUp() {
    let plan = plan { $0.lastAttempt = 10_000 }
    #expect(!BackupDue.isDue(plan, now: 10_000 + 86_399, sinceAttempt: nil))
    #expect(BackupDue.isDue(plan, now: 10_000 + 86_400, sinceAttempt: nil))
    #expect(BackupDue.isDue(plan, now: 10_000 + 40 * 86_400, sinceAttempt: nil))
  }

  @Test("Changing the clock neither delays a backup nor causes an early one") func aClockThatIsSetBackPutsNothingOff() {
    let plan = plan { $0.lastAttempt = 10_000_000 }
    #expect(BackupDue.isDue(plan, now: 9_000_000, sinceAttempt: nil))
    // While this process knows when it tried, only the clock that nobody sets counts.
    #expect(!BackupDue.isDue(plan, now: 9_000_000, sinceAttempt: 86_399))
    #expect(!BackupDue.isDue(plan, now: 90_000_000, sinceAttempt: 60))
    #expect(BackupDue.isDue(plan, now: 9_000_000, sinceAttempt: 86_400))
  }

  @Test(
    "A failed backup is tried again after a pause that doubles each time, up to six hours",
    arguments: [(1, 60), (2, 120), (3, 240), (9, 15_360), (10, 21_600), (1_000_000, 21_600)])
  func failuresAreTriedAgainLaterEachTime(failures: Int64, pause: Int64) {
    let plan = plan { ($0.lastAttempt, $0.failures) = (10_000, failures) }
    #expect(BackupDue.pause(after: failures, plan.every) == pause)
    #expect(!BackupDue.isDue(plan, now: 10_000 + pause - 1, sinceAttempt: pause - 1))
    #expect(BackupDue.isDue(plan, now: 10_000 + pause, sinceAttempt: pause))
    #expect(BackupDue.pause(after: failures, 900) <= 900)
  }

  @Test(
    "Backup periods such as 15m, 1d and 2w are read and written",
    arguments: [("15m", 900), ("1h", 3600), ("90m", 5400), ("1d", 86_400), ("2w", 1_209_600)])
  func periodsAreReadAndWritten(text: String, seconds: Int64) {
    #expect(Period.seconds(text) == seconds)
    #expect(Period.seconds(Period.text(seconds)) == seconds)
  }

  @Test("Invalid periods are refused", arguments: ["", "d", "1", "-1d", "0h", "1.5h", "1y", "99999999w", "1d "])
  func otherPeriodsAreNot(text: String) {
    #expect(Period.seconds(text) == nil)
  }

  @Test("A backup plan reads back as it was stored, and an incomplete record is refused") func aPlanIsReadBack() {
    var plan = BackupPlan(
      place: PlaceText(to: "s3://b/p", endpoint: "https://e", region: "r", certificates: "/ca"), every: 900, keep: 2, made: 5)
    (plan.lastAttempt, plan.lastDone, plan.lastName, plan.failures, plan.lastError) = (9, 8, "n", 3, "why")
    #expect(BackupPlan(record: plan.json.serialized()) == plan)
    #expect(BackupPlan(record: Array("{}".utf8)) == nil)
  }

  @Test("Only backup files with this vault's name count as its own") func onlyNamesOfThisVaultAreOurs() {
    let id: [UInt8] = [0x9c, 0xb5, 0x94, 0xd8] + [UInt8](repeating: 0, count: 12)
    let name = BackupName.of(number: 12, madeAt: 1_369_353_600, vaultID: id)
    #expect(name == "holdfast-9cb594d8-20130524T000000Z-12.hfb")
    #expect(BackupName.parts(name, vaultID: id)?.number == 12 && BackupName.parts(name, vaultID: id)?.time == 1_369_353_600)
    for other in [
      "holdfast-9cb594d9-20130524T000000Z-12.hfb", "holdfast-9cb594d8-20130524T000000Z-.hfb",
      "holdfast-9cb594d8-20130524T000000Z-1x.hfb",
      "holdfast-9cb594d8-20131324T000000Z-1.hfb", "holdfast-9cb594d8-revoked.hfr", "photo.jpg", "",
    ] { #expect(BackupName.parts(other, vaultID: id) == nil) }
  }
}
