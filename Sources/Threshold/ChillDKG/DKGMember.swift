import Ciphers
public import Curve
public import Encodings
import SecretMemory

/// A member's side of a key generation that nobody has to be trusted for (ChillDKG 0.3): nobody ever has the whole key.
///
/// It sends `message`, answers the coordinator's first message with `answer`, and ends with `DKGAnswer.finish`.
public struct DKGMember: Sendable {
  /// The first message to the coordinator: 33t + 32n + 97 bytes.
  public let message: [UInt8]
  private let parameters: DKGParameters
  private let place: Int
  private let first: GroupElement
  private let nonce: [UInt8]

  /// - Parameters:
  ///   - hostKey: the member's longest-lived secret key. With it and the recovery data the share can be restored for ever.
  ///   - randomness: 32 secret bytes that never come a second time. Only a test gives its own.
  /// - Throws: `.hostKeyMissing`, `.randomnessZero`, `.outOfMemory`.
  public init(
    hostKey: borrowing SecretKey, parameters: DKGParameters, randomness: Bytes32 = .fresh()
  ) throws(DKGError) {
    guard let own = try? hostKey.groupElement() else { throw .outOfMemory }
    guard let place = parameters.points.firstIndex(of: own) else { throw .hostKeyMissing }
    guard randomness != Bytes32() else { throw .randomnessZero }
    let seed = try Self.seed(hostKey, randomness, parameters)
    let polynomial = try Polynomial(seed: seed, degree: parameters.threshold - 1)
    let secretNonce = try secretNumber("BIP DKG/encpedpop secnonce") { hash in seed.withBytes { hash.update($0) } }
    guard let nonce = try? secretNonce.groupElement() else { throw .outOfMemory }
    let auxiliary = Bytes32 { target in
      var hash = SHA256(tag: "BIP DKG/simplpedpop aux")
      seed.withBytes { hash.update($0) }
      hash.finish(into: target)
    }
    let message = DKGMemberMessage(
      commitment: polynomial.commitment, proof: try polynomial.proof(place: place, auxiliary: auxiliary), nonce: nonce.bytes,
      shares: try Self.encrypted(polynomial, secretNonce, nonce.bytes, hostKey, place, parameters))
    (self.parameters, self.place, first, self.nonce) = (parameters, place, polynomial.commitment[0], nonce.bytes)
    self.message = message.bytes
  }

  private static func seed(
    _ hostKey: borrowing SecretKey, _ randomness: Bytes32, _ parameters: DKGParameters
  ) throws(DKGError) -> SecretBytes {
    let seed = try? secretBytes(32) { target in
      var hash = SHA256(tag: "BIP DKG/encpedpop seed")
      hostKey.withBytes { hash.update($0) }
      randomness.withUnsafeBytes { hash.update($0) }
      hash.update(parameters.encoded)
      hash.finish(into: target)
    }
    guard let seed else { throw .outOfMemory }
    return seed
  }

  private static func encrypted(
    _ polynomial: Polynomial, _ secretNonce: borrowing SecretKey, _ nonce: [UInt8], _ hostKey: borrowing SecretKey, _ own: Int,
    _ parameters: DKGParameters
  ) throws(DKGError) -> [PublicScalar] {
    var shares: [PublicScalar] = []
    for place in 0..<parameters.count {
      let context = parameters.context(for: place)
      let pad =
        place == own
        ? try DKGPads.own(hostKey, nonce: nonce, context)
        : try DKGPads.pad(
          secretNonce, with: parameters.points[place], sender: nonce, receiver: parameters.hostKeys[place], context)
      guard let share = try? polynomial.value(at: UInt32(place)), let sum = try? pad.adding(share),
        let number = sum.withBytes({ Bytes32(copying: $0) }).flatMap(PublicScalar.init)
      else { throw .outOfMemory }
      shares.append(number)
    }
    return shares
  }

  /// Checks what the others contributed, and signs it.
  ///
  /// From now on the host key must be kept, whatever else happens: another member may already have the whole result.
  /// - Parameters:
  ///   - received: the coordinator's first message, 162n + 33(t - 1) bytes.
  ///   - auxiliary: 32 bytes; fresh randomness unless a test needs fixed ones.
  /// - Throws: `.hostKeyChanged`, `.wrongLength`, `.faultyCoordinator`, `.faultyMemberOrCoordinator`, `.unknownFault`, `.outOfMemory`.
  public func answer(
    _ received: [UInt8], hostKey: borrowing SecretKey, auxiliary: Bytes32 = .fresh()
  ) throws(DKGError) -> DKGAnswer {
    guard let own = try? hostKey.groupElement() else { throw .outOfMemory }
    guard own == parameters.points[place] else { throw .hostKeyChanged }
    let message = try DKGCoordinatorMessage(received, parameters)
    guard message.nonces[place] == nonce else { throw .faultyCoordinator }
    let pads = try DKGPads.received(by: place, hostKey, message.nonces, parameters)
    try check(message)
    let tweaked = TweakedCommitment(message.commitment)
    let opened = try DKGPads.opened(message.shares[place], pads)
    guard let share = try tweaked.share(opened, of: place) else {
      throw .unknownFault(
        DKGInvestigation(
          place: place, pads: pads, share: message.shares[place], publicShare: message.commitment.share(of: UInt32(place))))
    }
    let transcript = message.transcript(parameters)
    let signature = try DKGCertificate.sign(hostKey, transcript, place, auxiliary)
    return DKGAnswer(message: signature, parameters: parameters, transcript: transcript, tweaked: tweaked, share: share)
  }

  private func check(_ message: DKGCoordinatorMessage) throws(DKGError) {
    guard message.firsts[place] == first else { throw .faultyCoordinator }
    for other in message.firsts.indices where other != place {
      let point = message.firsts[other]
      guard !point.isInfinity, PossessionProof.holds(message.proofs[other], for: point, place: other) else {
        throw .faultyMemberOrCoordinator(place: other)
      }
    }
  }
}

/// A member that has signed, and waits for the others' signatures.
public struct DKGAnswer: Sendable {
  /// The second message to the coordinator, 64 bytes.
  public let message: [UInt8]
  fileprivate let parameters: DKGParameters
  fileprivate let transcript: [UInt8]
  fileprivate let tweaked: TweakedCommitment
  fileprivate let share: KeyShare

  /// Ends the key generation. An error does not mean that there is no key: another member may have ended it, and gives the recovery data.
  /// - Parameter received: the coordinator's second message, 64n bytes.
  /// - Throws: `.wrongLength`, `.faultyCoordinator`.
  public func finish(_ received: [UInt8]) throws(DKGError) -> DKGResult {
    guard received.count == 64 * parameters.count else { throw .wrongLength }
    var reader = MessageReader(received)
    guard DKGCertificate.firstWrong(reader.pieces(parameters.count, of: 64), transcript, parameters) == nil else {
      throw .faultyCoordinator
    }
    return tweaked.result(share, members: parameters.count, recoveryData: transcript + received)
  }
}
