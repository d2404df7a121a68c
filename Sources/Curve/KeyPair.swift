import CSecp256k1
public import Encodings
public import SecretMemory

/// A secret key with its public key, ready to sign. Making one costs about 25 µs, so keep it; it is wiped with its last owner.
public final class KeyPair: Sendable {
  /// The library's 96 bytes: secret key, then the point.
  private let raw: SecretBytes
  /// The x-only key that belongs to the secret one.
  public let publicKey: PublicKey

  /// Copies the secret key.
  /// - Throws: `.outOfMemory`.
  public init(_ secret: borrowing SecretKey) throws(CurveError) {
    var x = Bytes32()
    raw = try secret.withBytes { (bytes) throws(CurveError) in
      try secretBytes(MemoryLayout<secp256k1_keypair>.size) { target in
        CurveContext.shared.withPointer { context in
          let pair = target.baseAddress!.assumingMemoryBound(to: secp256k1_keypair.self)  // 96 bytes have an address
          var point = secp256k1_xonly_pubkey()
          // Neither fails: a SecretKey is in range.
          _ = secp256k1_keypair_create(context, pair, bytes.start)
          _ = secp256k1_keypair_xonly_pub(context, &point, nil, pair)
          x.withUnsafeMutableBytes { _ = secp256k1_xonly_pubkey_serialize(context, $0.start, &point) }
        }
      }
    }
    publicKey = PublicKey(x)
  }

  /// A fresh key pair.
  public static func random() throws(CurveError) -> KeyPair { try KeyPair(try SecretKey.random()) }

  /// An own copy of the secret key, for storing or deriving.
  public func secretKey() throws(CurveError) -> SecretKey {
    try SecretKey(
      try secretBytes(32) { target in
        withRaw { context, pair in _ = secp256k1_keypair_sec(context, target.start, pair) }
      })
  }

  /// A BIP-340 signature over 32 bytes.
  /// - Parameter auxiliary: 32 bytes; fresh randomness unless a test needs a fixed one.
  public func sign(_ digest32: Bytes32, auxiliary: Bytes32 = .fresh()) throws(CurveError) -> Signature {
    #if HOLDFAST_FUZZING
      return digest32.withUnsafeBytes { FuzzStandIn.signature(ofMessage: $0, by: publicKey) }
    #else
      return try signOnCurve(digest32, auxiliary: auxiliary)
    #endif
  }

  private func signOnCurve(_ digest32: Bytes32, auxiliary: Bytes32) throws(CurveError) -> Signature {
    var status: Int32 = 0
    let signature = Signature { target in
      status = digest32.withUnsafeBytes { digest in
        auxiliary.withUnsafeBytes { randomness in
          withRaw { context, pair in
            secp256k1_schnorrsig_sign32(context, target, digest.start, pair, randomness.start)
          }
        }
      }
    }
    guard status == 1 else { throw .signingFailed }
    return signature
  }

  /// A BIP-340 signature over a message of any length. Nostr signs 32-byte ids only: use `sign(_:auxiliary:)` there.
  public func sign(message: [UInt8], auxiliary: Bytes32) throws(CurveError) -> Signature {
    #if HOLDFAST_FUZZING
      return message.withUnsafeBytes { FuzzStandIn.signature(ofMessage: $0, by: publicKey) }
    #else
      return try signOnCurve(message: message, auxiliary: auxiliary)
    #endif
  }

  private func signOnCurve(message: [UInt8], auxiliary: Bytes32) throws(CurveError) -> Signature {
    var status: Int32 = 0
    let signature = Signature { target in
      status = message.withUnsafeBytes { message in
        auxiliary.withUnsafeBytes { randomness in
          // The magic is the header's SECP256K1_SCHNORRSIG_EXTRAPARAMS_INIT; the library only reads the randomness.
          var parameters = secp256k1_schnorrsig_extraparams(
            magic: (0xda, 0x6f, 0xb3, 0x8c), noncefp: nil, ndata: UnsafeMutableRawPointer(mutating: randomness.baseAddress))
          return withRaw { context, pair in
            secp256k1_schnorrsig_sign_custom(context, target, message.start, message.count, pair, &parameters)
          }
        }
      }
    }
    guard status == 1 else { throw .signingFailed }
    return signature
  }

  /// The x coordinate of this key times the peer's point, unhashed: what NIP-04 and NIP-44 start from. 32 bytes.
  /// - Throws: `.notOnCurve` when the peer's bytes are no x coordinate.
  public func sharedX(with peer: PublicKey) throws(CurveError) -> SecretBytes {
    #if HOLDFAST_FUZZING
      return try standInSharedX(with: peer)
    #else
      guard let point = peer.lifted() else { throw .notOnCurve }
      let secret = try secretKey()
      return try ECDH.sharedX(secret, point)
    #endif
  }

  /// As `sharedX(with:)` for a peer whose parity is known.
  public func sharedX(with peer: CompressedPublicKey) throws(CurveError) -> SecretBytes {
    #if HOLDFAST_FUZZING
      return try standInSharedX(with: peer.x)
    #else
      guard let point = peer.parsed() else { throw .notOnCurve }
      return try ECDH.sharedX(try secretKey(), point)
    #endif
  }

  #if HOLDFAST_FUZZING
    private func standInSharedX(with peer: PublicKey) throws(CurveError) -> SecretBytes {
      guard FuzzStandIn.isOnCurve(peer) else { throw .notOnCurve }
      let shared = FuzzStandIn.sharedX(publicKey, peer)
      return try secretBytes(32) { target in shared.withUnsafeBytes { target.copyMemory(from: $0) } }
    }
  #endif

  private func withRaw<R>(_ body: (OpaquePointer, UnsafePointer<secp256k1_keypair>) -> R) -> R {
    raw.withBytes { bytes in
      let pair = bytes.baseAddress!.assumingMemoryBound(to: secp256k1_keypair.self)  // 96 bytes have an address
      return CurveContext.shared.withPointer { body($0, pair) }
    }
  }
}

extension KeyPair: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The public key only.
  public var description: String { "<key pair of \(publicKey)>" }
  /// The public key only.
  public var debugDescription: String { description }
  /// Without children, so that `dump` shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Bytes32 {
  /// 32 bytes from the system's generator.
  public static func fresh() -> Bytes32 { Bytes32 { SystemRandom.fill($0) } }
}

enum ECDH {
  static func sharedX(_ secret: borrowing SecretKey, _ point: secp256k1_pubkey) throws(CurveError) -> SecretBytes {
    var (status, point): (Int32, _) = (0, point)
    let shared = try secret.withBytes { (bytes) throws(CurveError) in
      try secretBytes(32) { target in
        status = CurveContext.shared.withPointer { context in
          secp256k1_ecdh(
            context, target.start, &point, bytes.start,
            { output, x, _, _ in
              guard let output, let x else { return 0 }
              output.update(from: x, count: 32)
              return 1
            }, nil)
        }
      }
    }
    guard status == 1 else { throw .notOnCurve }
    return shared
  }
}
