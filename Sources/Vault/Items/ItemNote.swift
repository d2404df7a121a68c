import Encodings

/// What is known of an item without opening it. Readable as soon as the vault was opened once, also while the session is locked.
public struct ItemNote: Sendable, Hashable {
  /// The longest label, in bytes of UTF-8.
  public static let maximumLabel = 256
  /// The longest remark, in bytes.
  public static let maximumRemark = 4096

  /// Which item it is.
  public let name: ItemName
  /// Under which class its value is sealed.
  public let permissions: ProtectionClass
  /// When it was stored first, in milliseconds since 1970-01-01 UTC.
  public let madeAt: Int64
  /// When its value was stored last, in milliseconds since 1970-01-01 UTC.
  public let changedAt: Int64
  /// For people. Not secret.
  public let label: String
  /// Whatever the program wants to know without opening the item. Not secret.
  public let remark: [UInt8]
}

// The value of a record of kind item note, for docs/FORMATS.md: 1 (1) · class (1) · made at (8) · changed at (8) · length of the
// label (2) · label, UTF-8 · remark. Its class is afterFirstUnlock, with the item's bond to the device.

extension ItemNote {
  private static let recordVersion: UInt8 = 1

  /// The class of the note itself: what stays on this device leaves no trace in a backup.
  var recordClass: ProtectionClass { permissions.isThisDeviceOnly ? .afterFirstUnlockThisDeviceOnly : .afterFirstUnlock }

  var recordValue: [UInt8] {
    var bytes = [Self.recordVersion, permissions.rawValue]
    bytes.append(bigEndian: madeAt)
    bytes.append(bigEndian: changedAt)
    bytes.append(bigEndian: UInt16(truncatingIfNeeded: label.utf8.count))  // checked when it was stored
    return bytes + Array(label.utf8) + remark
  }

  init?(_ record: Record) {
    var reader = ByteReader(record.value[...])
    guard let name = ItemName(recordID: record.id), reader.byte() == Self.recordVersion,
      let permissions = reader.byte().flatMap(ProtectionClass.init(rawValue:)), let madeAt: Int64 = reader.integer(),
      let changedAt: Int64 = reader.integer(), let length: UInt16 = reader.integer(), let label = reader.take(Int(length)),
      let label = String(validating: label, as: UTF8.self)
    else { return nil }
    self.init(
      name: name, permissions: permissions, madeAt: madeAt, changedAt: changedAt, label: label, remark: Array(reader.rest))
  }
}
