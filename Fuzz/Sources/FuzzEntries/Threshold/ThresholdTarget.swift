import Curve
import Encodings
import Threshold

extension FuzzTarget {
  /// What members and a coordinator of a group send each other: as raw bytes, and real messages with one byte changed.
  static let threshold = FuzzTarget("threshold") { (bytes) throws(FuzzFault) in
    var feed = ByteFeed(bytes)
    switch feed.index(below: 8) {
    case 0: try nonces(feed.remaining())
    case 1: try commitments(&feed)
    case 2: try sharedSecret(&feed)
    case 3: try recovery(&feed)
    case 4: try memberMessage(&feed)
    case 5: try coordinatorMessage(&feed)
    case 6: try parts(&feed)
    default: _ = try? Ceremony.shared.members[0].answer(feed.remaining(), hostKey: Ceremony.key(0))
    }
  }

  private static func nonces(_ bytes: [UInt8]) throws(FuzzFault) {
    if let nonce = PublicNonce(bytes) { try require(nonce.bytes == bytes, "a nonce is written as it was read") }
    if let sum = try? AggregateNonce(bytes) { try require(sum.bytes == bytes, "a sum is written as it was read") }
    if let commitment = EdDSACommitment(bytes) {
      try require(commitment.bytes == bytes, "a commitment is written as it was read")
    }
  }

  private static func commitments(_ feed: inout ByteFeed) throws(FuzzFault) {
    let identifier = UInt32(feed.byte())
    let bytes = feed.remaining()
    guard bytes.count <= 33 * 20, let commitment = SharingCommitment(bytes) else { return }
    try require(commitment.bytes == bytes && commitment.threshold * 33 == bytes.count, "a commitment is written as it was read")
    try require(commitment.publicShare(of: identifier).count == 33, "a public share has 33 bytes")
  }

  private static func sharedSecret(_ feed: inout ByteFeed) throws(FuzzFault) {
    let ceremony = Ceremony.shared
    var own = ceremony.part
    let isChanged = change(&own, &feed)
    guard let part = SharedSecretPart(feed.bool() ? own : feed.remaining()), let other = SharedSecretPart(ceremony.otherPart)
    else {
      return
    }
    let secret = try? SharedSecretPart.combine([part, other], for: Keys.bob.publicKey, signers: ceremony.signers)
    try require(secret == nil || !isChanged || part.bytes == ceremony.part, "a part that was changed is refused")
  }

  private static func recovery(_ feed: inout ByteFeed) throws(FuzzFault) {
    var data = Ceremony.shared.recoveryData
    let isChanged = change(&data, &feed)
    if feed.bool() {
      let isRead = (try? DKGRecovery(data)) != nil
      try require(isRead != isChanged, "recovery data are as all signed them")
    } else if let read = try? DKGRecovery(feed.remaining()) {
      try require(read.result.publicShares.count == read.parameters.hostKeys.count, "each member has a share")
    }
  }

  private static func memberMessage(_ feed: inout ByteFeed) throws(FuzzFault) {
    let ceremony = Ceremony.shared
    var messages = ceremony.members.map(\.message)
    _ = change(&messages[1], &feed)
    guard let coordinator = try? DKGCoordinator(messages, parameters: ceremony.parameters) else { return }
    let shown = try unfailing("what a coordinator takes it can show again") {
      try DKGCoordinator.investigation(messages, parameters: ceremony.parameters)
    }
    do throws(DKGError) { _ = try ceremony.members[0].answer(coordinator.message, hostKey: Ceremony.key(0)) } catch {
      guard case .unknownFault(let investigation) = error else { return }
      let culprit = investigation.culprit(shown[0])
      try require(
        culprit == .faultyMemberOrCoordinator(place: 1) || culprit == .faultyCoordinator, "no member that is right is named")
    }
  }

  private static func coordinatorMessage(_ feed: inout ByteFeed) throws(FuzzFault) {
    let ceremony = Ceremony.shared
    var message = ceremony.message
    _ = change(&message, &feed)
    _ = try? ceremony.members[1].answer(message, hostKey: Ceremony.key(1))
  }

  private static func parts(_ feed: inout ByteFeed) throws(FuzzFault) {
    let ceremony = Ceremony.shared
    let partials = (0..<2).map { _ in Bytes32(feed.bytes(32)) ?? Bytes32() }
    let nonce = PublicNonce(feed.bytes(66)) ?? ceremony.nonces[1]
    let session = try? SigningSession(
      ceremony.signers, nonce: AggregateNonce(summing: [ceremony.nonces[0], nonce]),
      tweaks: [Tweak(Bytes32(feed.bytes(32)) ?? Bytes32(), isXOnly: feed.bool())], message: feed.remaining())
    _ = try? session?.finish(partials, nonces: [ceremony.nonces[0], nonce])
  }

  /// Changes at most one byte.
  /// - Returns: whether it did.
  private static func change(_ bytes: inout [UInt8], _ feed: inout ByteFeed) -> Bool {
    let place = (Int(feed.byte()) << 8 | Int(feed.byte())) % bytes.count
    let difference = feed.byte()
    bytes[place] ^= difference
    return difference != 0
  }
}

/// Two of three members that generated a key. Made once; nobody's.
private struct Ceremony {
  static let shared = try! Ceremony()  // fixed keys, and messages of our own

  let parameters: DKGParameters
  let members: [DKGMember]
  let message: [UInt8]
  let recoveryData: [UInt8]
  let signers: SignerSet
  let nonces: [PublicNonce]
  let part: [UInt8]
  let otherPart: [UInt8]

  static func key(_ place: UInt8) -> SecretKey { try! Keys.pair(place + 11).secretKey() }  // memory for one key

  private init() throws {
    let places: [UInt8] = [0, 1, 2]
    let parameters = try DKGParameters(
      hostKeys: places.map { try Self.key($0).compressedPublicKey().bytes }, threshold: 2)
    let members = try places.map { try DKGMember(hostKey: Self.key($0), parameters: parameters) }
    let coordinator = try DKGCoordinator(members.map(\.message), parameters: parameters)
    let answers = try places.map { try members[Int($0)].answer(coordinator.message, hostKey: Self.key($0)) }
    let (certificate, result) = try coordinator.finish(answers.map(\.message))
    let shares = try answers.prefix(2).compactMap { try $0.finish(certificate).share }
    let signers = try SignerSet(
      members: 3, threshold: 2, identifiers: [0, 1], publicShares: Array(result.publicShares.prefix(2)),
      publicKey: result.publicKey)
    (self.parameters, self.members, message, recoveryData) = (parameters, members, coordinator.message, result.recoveryData)
    self.signers = signers
    nonces = try shares.map { try $0.nonce().publicNonce }
    part = try SharedSecretPart(for: Keys.bob.publicKey, share: shares[0], signers: signers).bytes
    otherPart = try SharedSecretPart(for: Keys.bob.publicKey, share: shares[1], signers: signers).bytes
  }
}
