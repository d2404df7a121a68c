import AuditLog
import OwnerAPI
import ResponseTexts
import TerminalUI
import Testing

@testable import HoldfastCommands

@Suite struct LogTextTests {
  private static func entry(_ sequence: Int64, _ kind: LogEntryKind, _ request: String) -> LogEntry {
    var entry = LogEntry()
    (entry.sequence, entry.entry, entry.request) = (sequence, kind, request)
    if kind == .requestDone {
      entry.error = Int64(AuditErrorCode.deniedByOwner.rawValue)
    } else {
      entry.decision = .deny
    }
    return entry
  }

  @Test(
    "A changed rule is shown with its time in words",
    arguments: [
      ("allow for 1h: sign_event:0", "allow for 1 hour: sign_event:0"),
      ("deny for 1d: x@GET in 1h", "deny for 1 day: x@GET in 1h"),
      ("allow always: sign_event:1", "allow always: sign_event:1"), ("renamed", "renamed"),
      ("budget for sign_event:1: 10 in 1w", "budget for sign_event:1: 10 in 1 week"),
      ("no budget for sign_event:1 in 1d", "no budget for sign_event:1 in 1 day"),
    ])
  func changedRules(rule: String, words: String) {
    var entry = LogEntry()
    (entry.entry, entry.rule) = (.grantChanged, rule)
    #expect(LogText.entry(entry).contains(words))
  }

  @Test("An entry about an identity names it, and one that is gone by its key") func identitiesAreNamed() {
    var entry = LogEntry()
    (entry.sequence, entry.time, entry.entry, entry.text) = (7, 1_790_000_000, .identityDeleted, "An identity was deleted")
    entry.identity = "alice"
    #expect(LogText.table([entry]).contains("An identity was deleted (alice)"))
    entry.identity = "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
    let npub = "npub10xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqpkge6d"
    #expect(LogText.table([entry]).contains("An identity was deleted (npub10xlxvlh…qpkge6d)"))
    #expect(LogText.entry(entry).contains(npub))
    entry.client = "ab"
    #expect(!LogText.table([entry]).contains("npub1"), "an app's entries name the app")
  }

  @Test("One entry is shown with the seconds of its time, and so is each that is followed") func timesToTheSecond() throws {
    var entry = Self.entry(7, .requestDecided, "b")
    (entry.time, entry.text) = (1_790_000_005, "Publish a note")
    #expect(LogText.entry(entry).contains(exactMoment(entry.time)) && exactMoment(entry.time).count == 19)
    #expect(LogText.lines([entry]) == ["\(exactMoment(entry.time))  7  Publish a note  denied"])
  }

  @Test("Numbers that the table skips are named below it") func skippedNumbers() {
    let entries = [Self.entry(60, .requestDecided, "b"), Self.entry(59, .requestDone, "a"), Self.entry(58, .requestDecided, "a")]
    let shown = LogText.table(entries)
    #expect(!shown.contains("\n59 "))
    #expect(shown.hasSuffix("Not shown: entry 59, which only says that a denied request failed. To see it: holdfast log show 59"))
    #expect(!LogText.table([entries[0]]).contains("Not shown"))
  }
}
