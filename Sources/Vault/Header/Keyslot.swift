internal import Encodings

/// One way into the vault: parameters of how its key is made, and each class key it is entitled to, wrapped under that key.
struct Keyslot: Equatable {
  enum SlotType: UInt8 { case passphrase = 1 }

  /// A class key sealed with XChaCha20-Poly1305: 24 bytes of nonce, 48 of ciphertext and tag.
  struct Wrap: Equatable {
    /// Raw value of the class; may be one that this version does not know.
    let protection: UInt8
    let nonce: [UInt8]
    let sealed: [UInt8]
  }

  static let maximumParameters = 1024
  let id: UInt32
  /// Raw value of `SlotType`; may be one that this version does not know.
  let type: UInt8
  /// The header's generation when the slot was made.
  let generation: UInt64
  let parameters: [UInt8]
  var commitment = Bytes32()
  var wraps: [Wrap] = []

  init(id: UInt32, type: SlotType, generation: UInt64, parameters: [UInt8]) {
    (self.id, self.type, self.generation, self.parameters) = (id, type.rawValue, generation, parameters)
  }

  init?(from reader: inout ByteReader) {
    guard let id: UInt32 = reader.integer(), let type = reader.byte(), let generation: UInt64 = reader.integer(),
      let length: UInt16 = reader.integer(), length <= Self.maximumParameters, let parameters = reader.take(Int(length)),
      let commitment = reader.bytes32(), let count = reader.byte(), (1...VaultHeader.maximumClasses).contains(Int(count))
    else { return nil }
    (self.id, self.type, self.generation, self.parameters) = (id, type, generation, Array(parameters))
    self.commitment = commitment
    for _ in 0..<count {
      guard let protection = reader.byte(), let nonce = reader.take(24), let sealed = reader.take(48) else { return nil }
      wraps.append(Wrap(protection: protection, nonce: Array(nonce), sealed: Array(sealed)))
    }
  }

  func write(to bytes: inout [UInt8]) {
    writeIdentity(to: &bytes)
    bytes += commitment.array
    bytes.append(UInt8(wraps.count))  // at most 16
    for wrap in wraps { bytes += [wrap.protection] + wrap.nonce + wrap.sealed }
  }

  /// What the slot is, without what was made from its key: bound to the commitment and to each wrap.
  func writeIdentity(to bytes: inout [UInt8]) {
    bytes.append(bigEndian: id)
    bytes.append(type)
    bytes.append(bigEndian: generation)
    bytes.append(bigEndian: UInt16(parameters.count))  // at most 1024
    bytes += parameters
  }
}
