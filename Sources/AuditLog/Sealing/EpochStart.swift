import Ciphers
import Encodings

/// The beginning of a run of entries whose keys come from one seed. Signed, because somebody who can write the file can seal another seed,
/// but cannot make others believe that it stands behind this log's entries.
struct EpochStart {
  static let seedLength = 32
  static let sealedLength = seedLength + SealedBox.overhead
  static let length = sealedLength + Ed25519.signatureLength

  /// The seed, for the sealing key.
  let sealedSeed: [UInt8]
  let signature: [UInt8]

  init(sealedSeed: [UInt8], signature: [UInt8]) { (self.sealedSeed, self.signature) = (sealedSeed, signature) }

  /// - Parameter bytes: 144 bytes.
  init(_ bytes: ArraySlice<UInt8>) {
    self.init(sealedSeed: Array(bytes.prefix(Self.sealedLength)), signature: Array(bytes.dropFirst(Self.sealedLength)))
  }

  var bytes: [UInt8] { sealedSeed + signature }

  /// False for an epoch that was begun without the signing key: before the vault was opened.
  var isSigned: Bool { signature.contains { $0 != 0 } }

  /// Whether it was signed to follow the entries of this tree.
  func isValid(after tree: MerkleTree, of header: LogHeader) -> Bool {
    Ed25519.isValid(signature, of: Self.message(sealedSeed, after: tree, of: header), by: header.signingKey)
  }

  /// What is signed: text and a zero byte · header digest 32 · number of entries before 8 · root over them 32 · sealed seed 80.
  static func message(_ sealedSeed: [UInt8], after tree: MerkleTree, of header: LogHeader) -> [UInt8] {
    var message = Array("holdfast log epoch\0".utf8) + header.digest.array
    message.append(bigEndian: tree.count)
    return message + tree.root.array + sealedSeed
  }
}
