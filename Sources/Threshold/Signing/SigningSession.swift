import Ciphers
public import Curve
public import Encodings

/// One signature by several members (BIP-445, section "Session Context"): who signs what, with which nonces.
public struct SigningSession: Sendable {
  /// The members that sign.
  public let signers: SignerSet
  private let message: [UInt8]
  private let key: TweakedKey
  /// The nonce's point, and by what each signer multiplies its second number.
  private let nonce: GroupElement
  private let binding: PublicScalar
  private let challenge: PublicScalar

  /// - Parameters:
  ///   - nonce: the sum of the nonces of all `signers`, as the coordinator made it.
  ///   - message: of any length; for Nostr and Bitcoin 32 bytes.
  /// - Throws: `.tweakOutOfRange`, `.tweakedToInfinity`.
  public init(
    _ signers: SignerSet, nonce: AggregateNonce, tweaks: [Tweak] = [], message: [UInt8]
  ) throws(ThresholdError) {
    (self.signers, self.message) = (signers, message)
    key = try TweakedKey(signers.key, tweaks)
    let x = key.key.x.array
    binding = PublicScalar(
      reducing: (signers.encodedIdentifiers + nonce.bytes + x + message).withUnsafeBytes {
        SHA256.tagged("BIP0445/noncecoef", $0)
      })
    let sum = nonce.first + binding * nonce.second
    // A coordinator can make it infinity, and then the signature is just not valid.
    self.nonce = sum.isInfinity ? .generator : sum
    challenge = PublicScalar(
      reducing: (self.nonce.x.array + x + message).withUnsafeBytes { SHA256.tagged("BIP0340/challenge", $0) })
  }

  /// The key under which the signature is valid.
  public var publicKey: PublicKey { PublicKey(key.key.x) }

  /// Whether what is summed counts negative, so that the key has an even y.
  private var isNegated: Bool { key.key.hasEvenY == key.isNegated }

  /// By what the share at a place is multiplied.
  private func factor(_ place: Int) -> PublicScalar {
    let factor = challenge * signers.coefficients[place]
    return isNegated ? -factor : factor
  }

  // MARK: a member

  /// A member's part of the signature, 32 bytes. It was checked as the others will check it.
  /// - Parameters:
  ///   - nonce: the one whose public half is in the sum. It is gone afterwards, whatever happens.
  ///   - share: the member's secret share.
  /// - Throws: `.publicShareMissing`, `.identifierMissing`, `.outOfMemory`; `.miscomputed` when the share is another member's, or the machine
  ///   made a mistake. A wrong part must not leave: beside a right one it could tell the share.
  public func sign(
    _ nonce: consuming SecretNonce, share: borrowing SecretKey, identifier: UInt32
  ) throws(ThresholdError) -> Bytes32 {
    guard let own = try? share.groupElement() else { throw .outOfMemory }
    return try sign(nonce, share, own, identifier)
  }

  func sign(
    _ nonce: consuming SecretNonce, _ share: borrowing SecretKey, _ own: GroupElement, _ identifier: UInt32
  ) throws(ThresholdError) -> Bytes32 {
    guard signers.shares.contains(own) else { throw .publicShareMissing }
    guard let place = signers.identifiers.firstIndex(of: identifier) else { throw .identifierMissing }
    let partial = try partial(nonce, share, place)
    guard isValid(partial, place: place, nonce: nonce.publicNonce) else { throw .miscomputed }
    return partial
  }

  private func partial(
    _ secret: borrowing SecretNonce, _ share: borrowing SecretKey, _ place: Int
  ) throws(ThresholdError) -> Bytes32 {
    do throws(CurveError) {
      let secretNonce = try secret.first.adding(try secret.second.multiplied(by: binding.bytes))
      let part = try share.multiplied(by: factor(place).bytes)
      let sum = nonce.hasEvenY ? try secretNonce.adding(part) : try secretNonce.negated().adding(part)
      return sum.withBytes { Bytes32(copying: $0)! }  // 32 bytes
    } catch { throw .outOfMemory }
  }

  // MARK: the coordinator

  /// Whether a member's part is right. A part that is not, from an authenticated member, proves that this member lied.
  /// - Parameter place: the member's place in the list of signers.
  public func isValid(_ partial: Bytes32, place: Int, nonce shown: PublicNonce) -> Bool {
    guard signers.shares.indices.contains(place), let number = PublicScalar(partial) else { return false }
    let sum = shown.first + binding * shown.second
    let expected = (nonce.hasEvenY ? sum : -sum) + factor(place) * signers.shares[place]
    return GroupElement(number) == expected
  }

  /// The signature, made of all parts and checked.
  /// - Parameters:
  ///   - partials: of all signers, in their order.
  ///   - nonces: the same; looked at when the signature is not valid.
  /// - Throws: `.unequalCounts`; `.wrongContribution` with the place of a signer whose part is not right.
  public func finish(_ partials: [Bytes32], nonces: [PublicNonce]) throws(ThresholdError) -> Signature {
    guard nonces.count == partials.count else { throw .unequalCounts }
    let signature = try aggregate(partials)
    if message.withUnsafeBytes({ Schnorr.isValid(signature, ofMessage: $0, by: publicKey) }) { return signature }
    for place in partials.indices where !isValid(partials[place], place: place, nonce: nonces[place]) {
      throw .wrongContribution(.partialSignature, place: place)
    }
    // All parts are right for these nonces, so the sum of the nonces is another one.
    throw .wrongContribution(.aggregateNonce, place: nil)
  }

  /// The signature, made of all parts. Does not check them.
  /// - Parameter partials: of all signers, in their order.
  /// - Throws: `.unequalCounts`, `.wrongContribution` for a part that is not below the group order.
  public func aggregate(_ partials: [Bytes32]) throws(ThresholdError) -> Signature {
    guard partials.count == signers.identifiers.count else { throw .unequalCounts }
    var sum = PublicScalar.zero
    for (place, partial) in partials.enumerated() {
      guard let number = PublicScalar(partial) else { throw .wrongContribution(.partialSignature, place: place) }
      sum = sum + number
    }
    let tweak = challenge * key.sum
    sum = sum + (key.key.hasEvenY ? tweak : -tweak)
    return Signature(nonce.x.array + sum.bytes.array)!  // 64 bytes
  }
}
