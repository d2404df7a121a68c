/// What is in a backup, after every record that could be opened was opened.
public struct BackupExamination: Sendable {
  /// The backup's description of itself.
  public let summary: BackupSummary
  /// What opens it, with the labels the owner gave.
  public let slots: [SlotInfo]
  /// Records that were opened, secret ones included.
  public let opened: Int
  /// Records that stayed sealed, by class, because the class key was not available.
  public let sealed: [ProtectionClass: Int]
}

extension OpenedBackup {
  /// Reads the whole file and opens what can be opened. Changes nothing.
  /// - Parameters:
  ///   - kinds: the kinds of records that the program knows. Rows of other kinds are not opened.
  ///   - progress: called with how many rows of how many were read. If it returns false, reading ends.
  ///   - take: called with each record that is not secret. Returns whether it is a complete record of its kind.
  /// - Throws: the first error found; `.recordDamaged` also if `take` returns false.
  public func examine(
    knowing kinds: RecordKinds = .own, progress: (_ done: UInt64, _ of: UInt64) -> Bool = { _, _ in true },
    taking take: (RecordKind, Record) -> Bool = { _, _ in true }
  ) throws(BackupError) -> BackupExamination {
    var (opened, sealed) = (0, [ProtectionClass: Int]())
    var notes: [[UInt8]: SlotNote] = [:]
    var row: UInt64 = 0
    let summary = try eachRow(knowing: kinds, progress: progress) { found, contents throws(BackupError) in
      defer { row += 1 }
      opened += 1
      switch contents {
      case .record(let kind, let record):
        guard take(kind, record) else { throw .recordDamaged(kind: "\(kind.name)", row: row) }
        if kind == .slotNote { notes[record.id] = SlotNote(record.value) }
      case .secret: break
      case .sealed:
        opened -= 1
        if let protection = ProtectionClass(rawValue: found.protection) { sealed[protection, default: 0] += 1 }
      }
    }
    let slots = header.slots.compactMap { slot in
      SlotType(rawValue: slot.type).map { SlotInfo(slot, $0, notes[SlotNote.id(slot.id)] ?? SlotNote()) }
    }
    return BackupExamination(summary: summary, slots: slots, opened: opened, sealed: sealed)
  }
}
