import Encodings

// A record in `audit.log`, for docs/FORMATS.md. All numbers are big-endian.
//
//    4  length of the whole record in bytes, 136 to 600
//    4  the same with every bit turned over
//       the leaf: what the tree's leaf hash is made of
//    8    sequence: 1 for the first entry, then one more each
//    4    step: 0 for the first entry of an epoch, then one more each
//   80    with step 0 only: the epoch's seed, sealed to the log's sealing key
//   64    with step 0 only: signature of the epoch (EpochStart); zeros when the log was opened without its signing key
//    …    sealed: time 8 · length of the body 2 · body (AuditEntryCodec.swift) · zeros up to a multiple of 64
//   16    tag
//   32  leaf hash: SHA-256(0x00 ‖ leaf)
//    4  length of the whole record again, to read backwards
//
// The length and its reverse tell an unfinished write from a changed length: of an unfinished record the bytes that are there
// are right.

enum RecordFormat {
  /// Length and sequence: what a record is recognised by.
  static let startLength = 16
  /// Where the leaf begins.
  static let leafOffset = 8
  static let endLength = 32 + 4
  /// Sequence and step.
  static let placeLength = 12
  static let tagLength = 16
  /// Time and length of the body.
  static let innerStart = 10
  /// What is sealed has a multiple of this length, so that lengths say little.
  static let padding = 64
  static let minimumLength = leafOffset + placeLength + padding + tagLength + endLength
  static let maximumLength =
    leafOffset + placeLength + EpochStart.length + padded(innerStart + AuditEntry.maximumBodyLength) + tagLength + endLength

  static func padded(_ count: Int) -> Int { (count + padding - 1) / padding * padding }
}

/// One record as read, not yet opened.
struct StoredRecord {
  let sequence: UInt64
  /// How many entries of its epoch come before it.
  let step: UInt32
  /// The bytes that the leaf hash covers.
  let leaf: ArraySlice<UInt8>
  let leafHash: Bytes32
  /// What begins with this entry, when its step is 0.
  let epoch: EpochStart?
  /// What the seal covers without hiding it, and what it hides, with its tag.
  let clear: ArraySlice<UInt8>
  let sealed: ArraySlice<UInt8>
  /// Where the record begins and ends.
  let position: UInt64
  let end: UInt64

  /// - Parameter bytes: one whole record; only the lengths are checked, not the hash.
  init?(_ bytes: ArraySlice<UInt8>, position: UInt64) {
    var reader = ByteReader(bytes)
    guard let length: UInt32 = reader.integer(), Int(length) == bytes.count, bytes.count >= RecordFormat.minimumLength,
      let reverse: UInt32 = reader.integer(), reverse == ~length,
      let leaf = reader.take(bytes.count - RecordFormat.leafOffset - RecordFormat.endLength), let hash = reader.bytes32(),
      let trailer: UInt32 = reader.integer(), trailer == length
    else { return nil }
    var inner = ByteReader(leaf)
    guard let sequence: UInt64 = inner.integer(), let step: UInt32 = inner.integer() else { return nil }
    var epoch: EpochStart?
    if step == 0 {
      guard let bytes = inner.take(EpochStart.length) else { return nil }
      epoch = EpochStart(bytes)
    }
    guard inner.rest.count > RecordFormat.tagLength else { return nil }
    (self.sequence, self.step, self.leaf, leafHash, self.epoch) = (sequence, step, leaf, hash, epoch)
    (clear, sealed) = (leaf.dropLast(inner.rest.count), inner.rest)
    (self.position, end) = (position, position + UInt64(bytes.count))
  }
}
