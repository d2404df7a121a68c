import Ciphers
import Encodings
import SecretMemory

/// Makes the records of new entries. Whoever reads its memory learns the keys of entries to come in this epoch, of none before.
struct EntrySealer {
  /// An epoch has at most this many entries: opening one costs as many steps.
  static let entriesPerEpoch: UInt32 = 512
  /// And spans about this long, in milliseconds: content is dropped by whole epochs.
  static let epochLength: Int64 = 86_400_000

  private let header: LogHeader
  private let signer: LogSigner?
  private var ratchet: Ratchet?
  private var begun: EpochStart?
  private var begunAt: Int64 = 0

  init(_ header: LogHeader, _ signer: LogSigner?) { (self.header, self.signer) = (header, signer) }

  /// After records that were made and not written: their keys must not serve for others.
  mutating func abandonEpoch() { (ratchet, begun) = (nil, nil) }

  /// Appends the record that follows `position`, and moves the position behind it.
  mutating func append(_ entry: AuditEntry, at position: inout LogPosition, to bytes: inout [UInt8]) throws(AuditLogError) {
    let ratchet = try ratchet(for: entry.time, after: position.tree)
    let start = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: RecordFormat.leafOffset))
    bytes.append(bigEndian: position.count + 1)
    bytes.append(bigEndian: ratchet.step)
    if let begun { bytes += begun.bytes }
    begun = nil
    let sealedAt = bytes.count
    Self.write(entry, to: &bytes)
    let length = UInt32(bytes.count - start + RecordFormat.endLength)  // at most 472
    let hash = bytes.withUnsafeMutableBytes { all in
      all.storeBytes(of: length.bigEndian, toByteOffset: start, as: UInt32.self)
      all.storeBytes(of: (~length).bigEndian, toByteOffset: start + 4, as: UInt32.self)
      let clear = UnsafeRawBufferPointer(rebasing: all[start + RecordFormat.leafOffset..<sealedAt])
      ratchet.withNextKey { key in
        ChaChaPoly.sealOnce(inPlace: UnsafeMutableRawBufferPointer(rebasing: all[sealedAt...]), key: key, associated: clear)
      }
      return MerkleTree.leafHash(UnsafeRawBufferPointer(rebasing: all[(start + RecordFormat.leafOffset)...]))
    }
    hash.withUnsafeBytes { bytes.append(contentsOf: $0) }
    bytes.append(bigEndian: length)
    position.tree.append(hash)
    position.last = hash
    position.end += UInt64(length)
  }

  /// The plaintext to seal, followed by space for the tag.
  private static func write(_ entry: AuditEntry, to bytes: inout [UInt8]) {
    let start = bytes.count
    bytes.append(bigEndian: entry.time)
    bytes.append(contentsOf: [0, 0])
    entry.write(to: &bytes)
    let length = bytes.count - start
    let body = UInt16(length - RecordFormat.innerStart)  // at most 315
    bytes[start + 8] = UInt8(body >> 8)
    bytes[start + 9] = UInt8(body & 0xff)
    bytes.append(contentsOf: repeatElement(0, count: RecordFormat.padded(length) - length + RecordFormat.tagLength))
  }

  private mutating func ratchet(for time: Int64, after tree: MerkleTree) throws(AuditLogError) -> Ratchet {
    if let ratchet, ratchet.step < Self.entriesPerEpoch,
      time.subtractingReportingOverflow(begunAt).partialValue.magnitude < UInt64(Self.epochLength)
    {
      return ratchet
    }
    do {
      let seed = try SecretBytes(randomCount: EpochStart.seedLength)
      let sealed = try seed.withBytes { try SealedBox.seal($0, to: header.sealingKey) }
      let signature = signer?.sign(EpochStart.message(sealed, after: tree, of: header))
      let ratchet = try Ratchet(seed: seed, of: header)
      begun = EpochStart(
        sealedSeed: sealed, signature: signature ?? [UInt8](repeating: 0, count: Ed25519.signatureLength))
      (self.ratchet, begunAt) = (ratchet, time)
      return ratchet
    } catch { throw .sealing }
  }
}
