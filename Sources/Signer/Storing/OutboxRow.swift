package import AuditLog
import Encodings
package import Vault

// The record of kind 41, for docs/FORMATS.md. Id: number (8). Value: digest of the log's header (32) · entries that the log had before the
// change (8) · the entry, as `AuditEntry.stored` writes it.

/// One entry that is stored in the vault until the log has it.
package struct OutboxRow: Sendable {
  package let number: UInt64
  /// The log's end before the change.
  let log: AuditLog.Extent
  let entry: AuditEntry

  package init(number: UInt64, log: AuditLog.Extent, entry: AuditEntry) {
    (self.number, self.log, self.entry) = (number, log, entry)
  }

  /// - Returns: nil when the record is not in the form of `change`.
  package init?(_ record: Record) {
    var (id, value) = (ByteReader(record.id[...]), ByteReader(record.value[...]))
    // Numbers increase one by one. A higher one is damage, because no number would follow it.
    guard let number: UInt64 = id.integer(), number < 1 << 63, id.isAtEnd, let log = value.bytes32(),
      let count: UInt64 = value.integer(),
      let entry = AuditEntry(stored: record.value.dropFirst(40))
    else { return nil }
    self.init(number: number, log: (log, count), entry: entry)
  }

  /// The change that stores it in the vault.
  package var change: RecordChange {
    var value = log.log.array
    value.append(bigEndian: log.count)
    return .put(.outbox, Self.id(number), value + entry.stored)
  }

  /// The change that removes it.
  static func removal(_ number: UInt64) -> RecordChange { .delete(kind: .outbox, id: id(number)) }

  private static func id(_ number: UInt64) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(bigEndian: number)
    return bytes
  }
}
