import Encodings

// The contents of a backup, for docs/FORMATS.md; numbers big-endian.
//
//   8  made at (milliseconds since 1970)     8  generation of the vault's header     8  number of this backup in its vault
//   8  records     8  records that were left out because they belong to one device
// then each record, in rising order of kind and name:
//   2  kind · 32 name · 1 class · 8 version · 4 length, wrapped with it · 2 length of wrapped · wrapped · sealed

/// A backup's description of itself, which is authenticated.
public struct BackupSummary: Sendable, Equatable {
  /// Milliseconds since 1970-01-01 UTC.
  public let madeAt: Int64
  /// The generation of the vault's header: one more with each change of a slot or class key.
  public let generation: UInt64
  /// One more with each backup of the vault: of two, the one with the higher number knows more.
  public let number: UInt64
  /// Records in it.
  public let records: UInt64
  /// Records that were left out because they belong to one device.
  public let leftOut: UInt64

  package static let length = 40

  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(bigEndian: madeAt)
    for number in [generation, number, records, leftOut] { bytes.append(bigEndian: number) }
    return bytes
  }

  init(madeAt: Int64, generation: UInt64, number: UInt64, records: UInt64, leftOut: UInt64) {
    (self.madeAt, self.generation, self.number) = (madeAt, generation, number)
    (self.records, self.leftOut) = (records, leftOut)
  }

  package init?(_ bytes: [UInt8]) {
    var reader = ByteReader(bytes[...])
    guard let madeAt: Int64 = reader.integer(), let generation: UInt64 = reader.integer(), let number: UInt64 = reader.integer(),
      let records: UInt64 = reader.integer(), let leftOut: UInt64 = reader.integer(), reader.isAtEnd
    else { return nil }
    self.init(madeAt: madeAt, generation: generation, number: number, records: records, leftOut: leftOut)
  }
}

/// One row of `records`, sealed.
package struct SealedRow: Equatable {
  /// Raw value of a `RecordKind`.
  let kind: UInt16
  let name: [UInt8]
  /// Raw value of a `ProtectionClass`.
  let protection: UInt8
  let version: UInt64
  let wrapped: [UInt8]
  let sealed: [UInt8]

  static let fixedLength = 2 + 32 + 1 + 8 + 4
  /// More than the longest record has when it is sealed, in bytes.
  static let maximumSealed = Vault.maximumValueLength + Vault.maximumIDLength + 1024
  /// The longest part of a row whose length is given, in bytes.
  private static let maximumLength = maximumSealed + 2 + Int(UInt16.max)

  /// Bytes that a row with ciphertexts of these lengths takes.
  static func length(wrapped: Int, sealed: Int) -> Int { fixedLength + 2 + wrapped + sealed }

  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(bigEndian: kind)
    bytes += name
    bytes.append(protection)
    bytes.append(bigEndian: version)
    bytes.append(bigEndian: UInt32(2 + wrapped.count + sealed.count))  // the vault's limit on values fits
    bytes.append(bigEndian: UInt16(wrapped.count))  // 72, or little more
    return bytes + wrapped + sealed
  }

  /// Whether it comes behind the other in a backup.
  func follows(_ other: SealedRow) -> Bool {
    kind > other.kind || (kind == other.kind && other.name.lexicographicallyPrecedes(name))
  }

  /// Reads one row.
  /// - Parameter take: gives so many bytes, nil when fewer are left.
  /// - Returns: nil for bytes that are no row.
  package static func read<Failure: Error>(_ take: (Int) throws(Failure) -> [UInt8]?) throws(Failure) -> SealedRow? {
    guard let fixed = try take(fixedLength) else { return nil }
    var reader = ByteReader(fixed[...])
    guard let kind: UInt16 = reader.integer(), let name = reader.take(32), let protection = reader.byte(),
      let version: UInt64 = reader.integer(), let length: UInt32 = reader.integer(), (2...UInt32(maximumLength)).contains(length),
      let rest = try take(Int(length))
    else { return nil }
    var parts = ByteReader(rest[...])
    guard let count: UInt16 = parts.integer(), let wrapped = parts.take(Int(count)) else { return nil }
    return SealedRow(
      kind: kind, name: Array(name), protection: protection, version: version, wrapped: Array(wrapped), sealed: Array(parts.rest))
  }
}
