import Curve
import Encodings

/// Reads a message of known length. What is missing is the caller's error, who checks the length first.
struct MessageReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  mutating func bytes(_ count: Int) -> [UInt8] {
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  mutating func pieces(_ count: Int, of length: Int) -> [[UInt8]] { (0..<count).map { _ in bytes(length) } }

  /// Nil when one is neither a point nor 33 zeros.
  mutating func points(_ count: Int) -> [GroupElement]? {
    let points = pieces(count, of: 33).map { GroupElement(orInfinity: $0) }
    return points.contains { $0 == nil } ? nil : points.compactMap { $0 }
  }

  /// Nil when one is not below the group order.
  mutating func numbers(_ count: Int) -> [PublicScalar]? {
    let numbers = pieces(count, of: 32).map { Bytes32($0).flatMap(PublicScalar.init) }
    return numbers.contains { $0 == nil } ? nil : numbers.compactMap { $0 }
  }
}

extension [GroupElement] {
  var encoded: [UInt8] { flatMap(\.bytes) }
}

extension [PublicScalar] {
  var encoded: [UInt8] { flatMap(\.bytes.array) }
}

/// A member's first message: 33t + 32n + 97 bytes.
struct DKGMemberMessage {
  /// Of the member's polynomial; infinity is allowed, so that nobody can make the sum of valid ones invalid.
  let commitment: [GroupElement]
  /// That the member knows its part of the key, 64 bytes.
  let proof: [UInt8]
  /// 33 bytes; checked by those who need it.
  let nonce: [UInt8]
  /// The shares for all, encrypted.
  let shares: [PublicScalar]

  init(commitment: [GroupElement], proof: [UInt8], nonce: [UInt8], shares: [PublicScalar]) {
    (self.commitment, self.proof, self.nonce, self.shares) = (commitment, proof, nonce, shares)
  }

  /// - Throws: `.wrongLength`; `.faultyMember` for what is no point or number.
  init(_ bytes: [UInt8], from place: Int, _ parameters: DKGParameters) throws(DKGError) {
    let (t, n) = (parameters.threshold, parameters.count)
    guard bytes.count == 33 * t + 32 * n + 97 else { throw .wrongLength }
    var reader = MessageReader(bytes)
    let commitment = reader.points(t)
    (proof, nonce) = (reader.bytes(64), reader.bytes(33))
    guard let commitment, let shares = reader.numbers(n) else { throw .faultyMember(place: place) }
    (self.commitment, self.shares) = (commitment, shares)
  }

  var bytes: [UInt8] { commitment.encoded + proof + nonce + shares.encoded }
}

/// The coordinator's first message: 162n + 33(t - 1) bytes.
struct DKGCoordinatorMessage {
  /// Each member's commitment to its part of the key.
  let firsts: [GroupElement]
  /// The sums of all members' other commitments.
  let sums: [GroupElement]
  let proofs: [[UInt8]]
  let nonces: [[UInt8]]
  /// For each member the sum of its encrypted shares.
  let shares: [PublicScalar]

  init(summing messages: [DKGMemberMessage], _ parameters: DKGParameters) {
    firsts = messages.map { $0.commitment[0] }
    sums = (1..<parameters.threshold).map { place in GroupElement.sum(messages.map { $0.commitment[place] }) }
    (proofs, nonces) = (messages.map(\.proof), messages.map(\.nonce))
    shares = (0..<parameters.count).map { place in messages.map { $0.shares[place] }.reduce(.zero, +) }
  }

  /// - Throws: `.wrongLength`; `.faultyCoordinator` for what is no point or number.
  init(_ bytes: [UInt8], _ parameters: DKGParameters) throws(DKGError) {
    let (t, n) = (parameters.threshold, parameters.count)
    guard bytes.count == 162 * n + 33 * (t - 1) else { throw .wrongLength }
    var reader = MessageReader(bytes)
    let (firsts, sums) = (reader.points(n), reader.points(t - 1))
    (proofs, nonces) = (reader.pieces(n, of: 64), reader.pieces(n, of: 33))
    guard let firsts, let sums, let shares = reader.numbers(n) else { throw .faultyCoordinator }
    (self.firsts, self.sums, self.shares) = (firsts, sums, shares)
  }

  var bytes: [UInt8] {
    firsts.encoded + sums.encoded + proofs.joined() + nonces.joined() + shares.encoded
  }

  /// The commitment to the sum of all polynomials.
  var commitment: SharingCommitment { SharingCommitment(points: [GroupElement.sum(firsts)] + sums) }

  /// What all members must agree on, and sign.
  func transcript(_ parameters: DKGParameters) -> [UInt8] {
    bigEndian(UInt32(parameters.threshold)) + commitment.bytes + parameters.hostKeys.joined() + nonces.joined() + shares.encoded
  }
}

/// The coordinator's message to a member that found its share wrong: 65n bytes.
struct DKGInvestigationMessage {
  /// What each member sent to this one, encrypted.
  let shares: [PublicScalar]
  /// What each member committed to for this one.
  let publicShares: [GroupElement]

  init(for place: Int, _ messages: [DKGMemberMessage]) {
    shares = messages.map { $0.shares[place] }
    publicShares = messages.map { SharingCommitment(points: $0.commitment).share(of: UInt32(place)) }
  }

  /// - Throws: `.wrongLength`; `.faultyCoordinator` for what is no point or number.
  init(_ bytes: [UInt8], members: Int) throws(DKGError) {
    guard bytes.count == 65 * members else { throw .wrongLength }
    var reader = MessageReader(bytes)
    guard let shares = reader.numbers(members), let publicShares = reader.points(members) else { throw .faultyCoordinator }
    (self.shares, self.publicShares) = (shares, publicShares)
  }

  var bytes: [UInt8] { shares.encoded + publicShares.encoded }
}
