public import Encodings

// The record of kind 17 with the id 0, for docs/FORMATS.md: no slot has that id. Value: digest of the log's header (32) · number of its
// entries (8). Written with the note of each slot that is shown, so in the transaction that clears the count of failed attempts.

/// How far the log beside a vault went when a slot was shown the last time. Entries behind it are of attempts since, whatever the
/// clock says.
public struct LogExtent: Sendable, Hashable {
  /// Names the log; zeros for none, 32 bytes.
  public let log: Bytes32
  /// Number of entries, 0 for no log.
  public let count: UInt64

  /// With both parts.
  public init(log: Bytes32, count: UInt64) { (self.log, self.count) = (log, count) }

  /// Of a home that has no log yet.
  public static let none = LogExtent(log: Bytes32(), count: 0)

  init?(_ bytes: [UInt8]) {
    var reader = ByteReader(bytes[...])
    guard let log = reader.bytes32(), let count: UInt64 = reader.integer(), reader.isAtEnd else { return nil }
    self.init(log: log, count: count)
  }

  var bytes: [UInt8] {
    var bytes = log.array
    bytes.append(bigEndian: count)
    return bytes
  }
}

/// Looks how far the log beside a vault goes. In a struct: see `Locked`. Called while the vault is held; must not call it.
public struct LogObserver: Sendable {
  let extent: @Sendable () -> LogExtent?

  /// - Parameter extent: nil when the log cannot be read: then failed attempts are not cleared, so that none is forgotten by the vault
  ///   that the log still knows.
  public init(_ extent: @escaping @Sendable () -> LogExtent?) { self.extent = extent }
}

extension RecordTable {
  private static let extentID = SlotNote.id(0)

  /// What was noted last, nil when nothing was.
  func logExtent() throws(VaultError) -> LogExtent? {
    guard let bytes = try value(.slotNote, Self.extentID) else { return nil }
    guard let found = LogExtent(bytes) else { throw .corrupt(what: RecordKind.slotNote.name) }
    return found
  }

  func put(_ extent: LogExtent, _ inventory: inout Inventory) throws(VaultError) {
    try put(.slotNote, Self.extentID, .bytes(extent.bytes), .afterFirstUnlock, &inventory)
  }
}
