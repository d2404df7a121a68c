import Ciphers
public import Curve
public import Encodings
public import SecretMemory

/// A signer's secret nonce: two numbers, 64 bytes. It signs once. A second signature with the same nonce tells the secret share to everybody, so
/// it cannot be copied, and signing consumes it.
public struct SecretNonce: ~Copyable, Sendable {
  let first: SecretKey
  let second: SecretKey
  /// What the others may see.
  public let publicNonce: PublicNonce

  init(_ first: consuming SecretKey, _ second: consuming SecretKey) throws(ThresholdError) {
    guard let one = try? first.groupElement(), let other = try? second.groupElement() else { throw .outOfMemory }
    publicNonce = PublicNonce(one, other)
    self.first = first
    self.second = second
  }

  /// - Parameter bytes: 64.
  /// - Throws: `.secretNonceOutOfRange` for a half that is no number from 1 to the group order less one, such as that of a nonce that was used.
  public init(_ bytes: borrowing SecretBytes) throws(ThresholdError) {
    let first = try Self.half(0, of: bytes)
    let second = try Self.half(1, of: bytes)
    try self.init(first, second)
  }

  private static func half(_ half: Int, of bytes: borrowing SecretBytes) throws(ThresholdError) -> SecretKey {
    guard bytes.count == 64 else { throw .secretNonceOutOfRange(half: half) }
    return try secretKey(.secretNonceOutOfRange(half: half)) { target in
      bytes.withBytes { target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[(32 * half)..<(32 * half + 32)])) }
    }
  }

  /// The 64 bytes, for the one place where they wait for their signature. Whoever stores them must have noted durably that they are used
  /// before the partial signature leaves.
  public borrowing func bytes() throws(ThresholdError) -> SecretBytes {
    try secretBytes(64) { target in
      first.withBytes { UnsafeMutableRawBufferPointer(rebasing: target[..<32]).copyMemory(from: $0) }
      second.withBytes { UnsafeMutableRawBufferPointer(rebasing: target[32...]).copyMemory(from: $0) }
    }
  }

  /// What goes into a nonce beside randomness. All of it is optional and protects where the randomness is bad.
  public struct Context: Sendable {
    /// 33 bytes, or empty.
    public var publicShare: [UInt8]
    /// The group's x-only key, after tweaks; nil when it is not known yet.
    public var publicKey: PublicKey?
    /// Nil when it is not known yet.
    public var message: [UInt8]?
    /// Anything else, for example a counter.
    public var extra: [UInt8]

    /// - Parameter publicShare: 33 bytes, or empty.
    public init(publicShare: [UInt8] = [], publicKey: PublicKey? = nil, message: [UInt8]? = nil, extra: [UInt8] = []) {
      (self.publicShare, self.publicKey, self.message, self.extra) = (publicShare, publicKey, message, extra)
    }

    fileprivate var bytes: [UInt8] {
      let key = publicKey?.bytes.array ?? []
      let said = message.map { [1] + bigEndian(UInt64($0.count)) + $0 } ?? [0]
      return [UInt8(publicShare.count)] + publicShare + [UInt8(key.count)] + key + said + bigEndian(UInt32(extra.count)) + extra
    }
  }

  /// A fresh nonce (BIP-445, section "Nonce Generation").
  /// - Parameters:
  ///   - share: the signer's secret share, which makes the nonce unpredictable even if the randomness is known.
  ///   - randomness: 32 secret bytes that never come a second time. Only a test gives its own.
  /// - Throws: `.outOfMemory`; once in 2^127 calls `.secretNonceOutOfRange`.
  public static func fresh(
    for share: borrowing SecretKey, _ context: Context, randomness: Bytes32 = .fresh()
  ) throws(ThresholdError) -> SecretNonce {
    try masked("BIP0445/aux", share, randomness).withBytes { (seed) throws(ThresholdError) in
      try make("BIP0445/nonce", seed, context.bytes)
    }
  }

  /// The same without a share.
  static func fresh(_ context: Context, randomness: Bytes32) throws(ThresholdError) -> SecretNonce {
    let seed = try secretBytes(32) { target in randomness.withUnsafeBytes { target.copyMemory(from: $0) } }
    return try seed.withBytes { (seed) throws(ThresholdError) in try make("BIP0445/nonce", seed, context.bytes) }
  }

  static func deterministic(
    _ share: borrowing SecretKey, _ context: [UInt8], _ randomness: Bytes32?
  ) throws(ThresholdError) -> SecretNonce {
    let tag: StaticString = "BIP0445/deterministic/nonce"
    guard let randomness else {
      return try share.withBytes { (seed) throws(ThresholdError) in try make(tag, seed, context) }
    }
    return try masked("BIP0445/aux", share, randomness).withBytes { (seed) throws(ThresholdError) in try make(tag, seed, context)
    }
  }

  /// The exclusive or of a secret number and the hash of randomness.
  static func masked(
    _ tag: StaticString, _ share: borrowing SecretKey, _ randomness: Bytes32
  ) throws(ThresholdError) -> SecretBytes {
    let mask = randomness.withUnsafeBytes { SHA256.tagged(tag, $0) }
    return try secretBytes(32) { target in
      share.withBytes { share in
        mask.withUnsafeBytes { mask in for place in 0..<32 { target[place] = share[place] ^ mask[place] } }
      }
    }
  }

  private static func make(
    _ tag: StaticString, _ seed: UnsafeRawBufferPointer, _ context: [UInt8]
  ) throws(ThresholdError) -> SecretNonce {
    func half(_ number: UInt8) throws(ThresholdError) -> SecretKey {
      try secretKey(.secretNonceOutOfRange(half: Int(number))) { target in
        var hash = SHA256(tag: tag)
        hash.update(seed)
        hash.update(context)
        hash.update([number])
        hash.finish(into: target)
      }
    }
    return try SecretNonce(try half(0), try half(1))
  }
}
