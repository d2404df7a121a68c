import Ciphers
import Encodings
import SecretMemory

// A row of `records`, for docs/FORMATS.md.
//
//   kind      in clear
//   name      32 bytes: HMAC-SHA256(index key, kind (2) ‖ id). Ids are public keys of apps and people; in clear they would tell
//             whoever finds the disk who exchanges messages with whom.
//   class     in clear
//   version   in clear: 1 when the record is made, one more each time it is replaced
//   wrapped   nonce 24 ‖ item key sealed under the class key, 32 + 16
//   sealed    nonce 24 ‖ (length of id (2) ‖ id ‖ value) sealed under the item key, + 16
//
// Both are XChaCha20-Poly1305 with random nonces and the associated data "holdfast record\0" ‖ 1 for wrapped, 2 for sealed (1) ‖
// vault id (16) ‖ kind (2) ‖ name (32) ‖ class (1) ‖ version (8).

/// Everything about a record that is not encrypted. It is bound to the ciphertexts, so that no row can pass for another.
struct RecordPlace {
  let vaultID: [UInt8]
  /// Raw value of a `RecordKind`.
  let kind: UInt16
  let name: [UInt8]
  /// Raw value of a `ProtectionClass`.
  let protection: UInt8
  let version: UInt64

  /// For errors.
  var kindName: StaticString = "record"

  fileprivate enum Part: UInt8 { case itemKey = 1, value = 2 }

  fileprivate func associated(_ part: Part) -> [UInt8] {
    var bytes = Array("holdfast record\0".utf8)
    bytes.append(part.rawValue)
    bytes += vaultID
    bytes.append(bigEndian: kind)
    bytes += name
    bytes.append(protection)
    bytes.append(bigEndian: version)
    return bytes
  }
}

extension RecordPlace {
  /// The place of a record of a kind that is known.
  init(vaultID: [UInt8], kind: RecordKind, name: [UInt8], protection: UInt8, version: UInt64) {
    self.init(
      vaultID: vaultID, kind: kind.rawValue, name: name, protection: protection, version: version, kindName: kind.name)
  }
}

/// What a record seals: length of the id (2) ‖ id ‖ value.
struct SealedPlaintext {
  let id: [UInt8]
  fileprivate let whole: SecretBox
}

/// A record's two ciphertexts.
struct SealedRecord {
  static let nonceLength = 24
  static let wrappedLength = nonceLength + 32 + ChaChaPoly.tagLength
  let wrapped: [UInt8]
  let sealed: [UInt8]

  init(wrapped: [UInt8], sealed: [UInt8]) { (self.wrapped, self.sealed) = (wrapped, sealed) }

  /// Seals id and value under a fresh item key, and that under the class key.
  init(id: [UInt8], value: RecordValue, at place: RecordPlace, under classKey: SecretBox) throws(VaultError) {
    self = try Self.sealed(try Self.plaintext(id, value), place, classKey)
  }

  private static func sealed(
    _ plaintext: SecretBox, _ place: RecordPlace, _ classKey: SecretBox
  ) throws(VaultError) -> SealedRecord {
    try vaultFault(.corrupt(what: "a record to be written")) { () throws in
      let itemKey = try SecretBytes(randomCount: 32)
      let wrapped = try classKey.withBytes { key in
        try itemKey.withBytes { try Self.seal($0, key: key, place.associated(.itemKey)) }
      }
      let sealed = try itemKey.withBytes { key in
        try plaintext.withBytes { try Self.seal($0, key: key, place.associated(.value)) }
      }
      return SealedRecord(wrapped: wrapped, sealed: sealed)
    }
  }

  /// The record's plaintext whole, to be sealed again elsewhere.
  func plaintext(at place: RecordPlace, under classKey: SecretBox) throws(VaultError) -> SealedPlaintext {
    let whole = try open(place, classKey) { sealed, key, nonce, associated throws(CipherError) in
      SecretBox(try ChaChaPoly.open(sealed, key: key, nonce: nonce, associated: associated))
    }
    let id = try whole.withBytes { bytes throws(VaultError) in
      guard bytes.count >= 2, bytes.count >= 2 + (Int(bytes[0]) << 8 | Int(bytes[1])) else {
        throw .corrupt(what: place.kindName)
      }
      return Array(bytes[2..<2 + (Int(bytes[0]) << 8 | Int(bytes[1]))])
    }
    return SealedPlaintext(id: id, whole: whole)
  }

  /// Seals a plaintext under a fresh item key, and that under the class key.
  init(_ plaintext: SealedPlaintext, at place: RecordPlace, under classKey: SecretBox) throws(VaultError) {
    self = try Self.sealed(plaintext.whole, place, classKey)
  }

  /// Id and value of a record that is not secret.
  func open(at place: RecordPlace, under classKey: SecretBox) throws(VaultError) -> Record {
    let plaintext = try open(place, classKey) { sealed, key, nonce, associated throws(CipherError) in
      try ChaChaPoly.openPublic(sealed, key: key, nonce: nonce, associated: associated)
    }
    var reader = ByteReader(plaintext[...])
    guard let length: UInt16 = reader.integer(), let id = reader.take(Int(length)) else { throw .corrupt(what: place.kindName) }
    return Record(id: Array(id), value: Array(plaintext.dropFirst(2 + Int(length))))
  }

  /// Id and value of a secret record.
  func openSecret(at place: RecordPlace, under classKey: SecretBox) throws(VaultError) -> (id: [UInt8], value: SecretBox) {
    let plaintext = try open(place, classKey) { sealed, key, nonce, associated throws(CipherError) in
      SecretBox(try ChaChaPoly.open(sealed, key: key, nonce: nonce, associated: associated))
    }
    return try plaintext.withBytes { bytes throws(VaultError) in
      guard bytes.count > 2 else { throw .corrupt(what: place.kindName) }
      let length = Int(bytes[0]) << 8 | Int(bytes[1])
      guard bytes.count > 2 + length else { throw .corrupt(what: place.kindName) }
      let value = try vaultFault(.outOfMemory) {
        try SecretBytes(copying: UnsafeRawBufferPointer(rebasing: bytes[(2 + length)...]))
      }
      return (Array(bytes[2..<2 + length]), SecretBox(value))
    }
  }

  private func open<Plaintext>(
    _ place: RecordPlace, _ classKey: SecretBox,
    _ body: (UnsafeRawBufferPointer, _ key: UnsafeRawBufferPointer, _ nonce: [UInt8], [UInt8]) throws(CipherError) -> Plaintext
  ) throws(VaultError) -> Plaintext {
    guard wrapped.count == Self.wrappedLength, sealed.count >= Self.nonceLength + ChaChaPoly.tagLength + 2 else {
      throw .corrupt(what: place.kindName)
    }
    return try vaultFault(.corrupt(what: place.kindName)) {
      let itemKey = try classKey.withBytes { key in
        try Self.withParts(of: wrapped) { nonce, rest in
          SecretBox(try ChaChaPoly.open(rest, key: key, nonce: nonce, associated: place.associated(.itemKey)))
        }
      }
      return try itemKey.withBytes { key in
        try Self.withParts(of: sealed) { nonce, rest in try body(rest, key, nonce, place.associated(.value)) }
      }
    }
  }

  /// - Parameter bytes: a nonce and what follows, at least as long as a nonce.
  private static func withParts<Result>(
    of bytes: [UInt8], _ body: (_ nonce: [UInt8], UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result {
    try bytes.withUnsafeBytes {
      try body(Array($0.prefix(nonceLength)), UnsafeRawBufferPointer(rebasing: $0.dropFirst(nonceLength)))
    }
  }

  private static func seal(
    _ plaintext: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, _ associated: [UInt8]
  ) throws(CipherError) -> [UInt8] {
    let nonce = SystemRandom.bytes(nonceLength)
    return nonce + (try ChaChaPoly.seal(plaintext, key: key, nonce: nonce, associated: associated))
  }

  private static func plaintext(_ id: [UInt8], _ value: RecordValue) throws(VaultError) -> SecretBox {
    func filled(_ bytes: UnsafeRawBufferPointer) throws(VaultError) -> SecretBox {
      try vaultFault(.outOfMemory) {
        SecretBox(
          try SecretBytes(count: 2 + id.count + bytes.count) { (target) throws(Never) in
            (target[0], target[1]) = (UInt8(id.count >> 8), UInt8(id.count & 0xff))  // the vault's limit on ids fits
            UnsafeMutableRawBufferPointer(rebasing: target[2...]).copyBytes(from: id)
            UnsafeMutableRawBufferPointer(rebasing: target[(2 + id.count)...]).copyBytes(from: bytes)
          })
      }
    }
    switch value {
    case .bytes(let bytes): return try vaultFault(.outOfMemory) { try bytes.withUnsafeBytes { try filled($0) } }
    case .secret(let secret): return try secret.withBytes(filled)
    }
  }
}
