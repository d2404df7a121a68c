import AuditLog
import OwnerAPI
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

  @Test("Numbers that the table skips are named below it") func skippedNumbers() {
    let entries = [Self.entry(60, .requestDecided, "b"), Self.entry(59, .requestDone, "a"), Self.entry(58, .requestDecided, "a")]
    let shown = LogText.table(entries)
    #expect(!shown.contains("\n59 "))
    #expect(shown.hasSuffix("Not shown: entry 59, which only says that a denied request failed. To see it: holdfast log show 59"))
    #expect(!LogText.table([entries[0]]).contains("Not shown"))
  }
}
