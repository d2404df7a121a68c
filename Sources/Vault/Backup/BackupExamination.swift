/// What is in a backup, after every record that could be opened was opened.
public struct BackupExamination: Sendable {
  /// What it says of itself.
  public let summary: BackupSummary
  /// Its identities, the oldest first.
  public let identities: [Identity]
  /// The records of its paired apps, as the room that wrote them reads them.
  public let pairings: [Record]
  /// What opens it, with the labels the owner gave.
  public let slots: [SlotInfo]
  /// Records that were opened, secret ones included.
  public let opened: Int
  /// Records by the class whose key was not at hand.
  public let sealed: [ProtectionClass: Int]
}

extension OpenedBackup {
  /// Reads the whole file and opens what can be opened. Changes nothing.
  /// - Throws: the first fault found.
  public func examine(
    progress: (_ done: UInt64, _ of: UInt64) -> Bool = { _, _ in true }
  ) throws(BackupError) -> BackupExamination {
    var (identities, pairings, opened, sealed) = ([Identity](), [Record](), 0, [ProtectionClass: Int]())
    var notes: [[UInt8]: SlotNote] = [:]
    var row: UInt64 = 0
    let summary = try eachRow(progress: progress) { found, contents throws(BackupError) in
      defer { row += 1 }
      opened += 1
      switch contents {
      case .record(.identity, let record):
        guard let identity = Identity(record) else { throw .recordDamaged(kind: "\(RecordKind.identity.name)", row: row) }
        identities.append(identity)
      case .record(.pairing, let record): pairings.append(record)
      case .record(.slotNote, let record): notes[record.id] = SlotNote(record.value)
      case .record, .secret: break
      case .sealed:
        opened -= 1
        if let protection = ProtectionClass(rawValue: found.protection) { sealed[protection, default: 0] += 1 }
      }
    }
    let slots = header.slots.compactMap { slot in
      SlotType(rawValue: slot.type).map { SlotInfo(slot, $0, notes[SlotNote.id(slot.id)] ?? SlotNote()) }
    }
    return BackupExamination(
      summary: summary, identities: identities.sorted { ($0.createdAt, $0.name) < ($1.createdAt, $1.name) }, pairings: pairings,
      slots: slots, opened: opened, sealed: sealed)
  }
}
