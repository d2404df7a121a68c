import Encodings

// The record of kind 17, for docs/FORMATS.md. Id: the slot's id (4). Value: made (8) · last used (8) · last tested (8), milliseconds,
// 0 for never · label, UTF-8.

/// What is kept about a slot beside the header.
struct SlotNote: Equatable {
  /// The longest label, in bytes.
  static let maximumLabel = 64

  /// Milliseconds since 1970-01-01 UTC; 0 when it is not known.
  var made: Int64 = 0
  var lastUsed: Int64 = 0
  var lastTested: Int64 = 0
  var label = ""

  init(made: Int64, label: String) throws(VaultError) {
    let isWritten = label.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
    guard label.utf8.count <= Self.maximumLabel, isWritten else { throw .nameNotAllowed }
    (self.made, self.label) = (made, label)
  }

  /// For a slot that has none.
  init() {}

  init?(_ bytes: [UInt8]) {
    var reader = ByteReader(bytes[...])
    guard let made: Int64 = reader.integer(), let used: Int64 = reader.integer(), let tested: Int64 = reader.integer() else {
      return nil
    }
    (self.made, lastUsed, lastTested) = (made, used, tested)
    label = String(decoding: bytes.dropFirst(24), as: UTF8.self)
  }

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(bigEndian: made)
    bytes.append(bigEndian: lastUsed)
    bytes.append(bigEndian: lastTested)
    return bytes + Array(label.utf8)
  }

  static func id(_ slot: UInt32) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(bigEndian: slot)
    return bytes
  }
}

extension RecordTable {
  /// The note of a slot; an empty one when there is none.
  func note(of slot: UInt32) throws(VaultError) -> SlotNote {
    var note = SlotNote()
    try each(.slotNote, id: SlotNote.id(slot)) { place, sealed, key throws(VaultError) in
      let record = try sealed.open(at: place, under: key)
      guard let found = SlotNote(record.value) else { throw .corrupt(what: RecordKind.slotNote.name) }
      note = found
      return record.id
    }
    return note
  }

  func put(_ note: SlotNote, of slot: UInt32, _ inventory: inout Inventory) throws(VaultError) {
    try put(.slotNote, SlotNote.id(slot), .bytes(note.bytes), .afterFirstUnlock, &inventory)
  }
}
