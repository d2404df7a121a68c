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

  @Test("On a terminal of 80 columns, a change of an app's rules says what was changed")
  func changesAreNotCut() {
    var entry = LogEntry()
    (entry.sequence, entry.time, entry.entry, entry.text) = (1234, 1_790_000_000, .grantChanged, "What it may do was changed")
    (entry.clientName, entry.client, entry.rule) = ("A client with a long name", "ab", "allow for 1d: sign_event:30023")
    var asked = Self.entry(1235, .requestDecided, "b")
    (asked.time, asked.text, asked.decision, asked.clientName, asked.client) = (
      entry.time, "Sign a long-form article", .ask, "x", "cd"
    )
    let reader = Reader(now: entry.time, columns: 80)
    let lines = LogText.days([entry, asked], reader).split(separator: "\n")
    #expect(lines.contains("    allow for 1 day: sign_event:30023") && lines.allSatisfy { columnWidth(of: String($0)) <= 80 })
    var followed = FollowedLog()
    #expect(followed.lines([entry], within: 80).last == "    allow for 1 day: sign_event:30023")
    #expect(LogText.days([entry], Reader(now: entry.time, columns: 120)).hasSuffix("allow for 1 day: sign_event:30023"))
    (entry.text, entry.rule) = ("Renamed by you", "renamed")
    #expect(LogText.days([entry], reader).contains("Renamed by you"))
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

  @Test("What is followed at a terminal is one line in columns, under its day, without the ends of what went well")
  func whatIsFollowed() {
    func entry(_ sequence: Int64, _ kind: LogEntryKind, _ decision: Verdict? = nil, app: String = "Amethyst") -> LogEntry {
      var entry = LogEntry()
      (entry.sequence, entry.time, entry.entry, entry.request) = (sequence, 1_790_000_000, kind, "a\(sequence / 2)")
      (entry.text, entry.decision, entry.client, entry.clientName) = ("Publish a note", decision, "ab", app)
      return entry
    }
    var log = FollowedLog()
    let first = log.lines(
      [entry(8, .requestDecided, .allow, app: "Amethyst Publish"), entry(10, .requestDecided, .ask)], within: 80)
    let clock = exactMoment(1_790_000_000).suffix(8)
    #expect(
      first == [
        String(exactMoment(1_790_000_000).prefix(10)),
        "\(clock)  8       Amethyst Publish        Publish a note            allowed",
        "\(clock)  10      Amethyst                Publish a note            asked you",
      ])
    #expect(log.lines([entry(9, .requestDone)], within: 80).isEmpty, "its decision came before")
    #expect(log.lines([entry(13, .requestDone)], within: 80).count == 1, "nothing was said of it yet")
  }

  @Test("Numbers that the table skips are named below it") func skippedNumbers() {
    let entries = [Self.entry(60, .requestDecided, "b"), Self.entry(59, .requestDone, "a"), Self.entry(58, .requestDecided, "a")]
    let shown = LogText.table(entries)
    #expect(!shown.contains("\n59 "))
    #expect(shown.hasSuffix("Not shown: entry 59, which only says that a denied request failed. To see it: holdfast log show 59"))
    #expect(!LogText.table([entries[0]]).contains("Not shown"))
  }
}
