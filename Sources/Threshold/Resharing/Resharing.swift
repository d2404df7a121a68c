import Ciphers
import Curve
public import Encodings

/// Makes new shares of the same key: to refresh them, to replace a lost one, or to change the members or the threshold (Desmedt and
/// Jajodia, "Redistributing secret shares", with Feldman's commitments as in RFC 9591, appendix C.2).
///
/// Enough of the present members, the dealers, deal their shares anew to the next members. No one has the key meanwhile, and the public
/// key stays. Each dealer commits to what it deals, and its commitment begins with its own public share, so a dealer cannot bring in
/// anything but its share.
///
/// New shares and shares from before do not sign together. What this does not undo: as many shares from before as the threshold was still
/// sign for the key. It is safe against a thief of old shares only once all but fewer than that are deleted.
///
/// Shares go from dealer to member on a confidential channel, and who says something must be known: both are the caller's. Before anybody
/// deletes a share from before, all new members must have said the same `transcript(of:)`.
public struct Resharing: Sendable {
  /// The present members that deal.
  public let dealers: SignerSet
  /// How many members sign at least, from now on.
  public let threshold: Int
  /// How many members there are from now on. Their numbers are 0 to one less.
  public let members: Int

  /// - Throws: `.thresholdOutOfRange` unless the threshold is from 1 to `members`, and `members` at most `TrustedDealer.mostMembers`.
  public init(from dealers: SignerSet, threshold: Int, members: Int) throws(ThresholdError) {
    guard 1 <= threshold, threshold <= members, members <= TrustedDealer.mostMembers else { throw .thresholdOutOfRange }
    (self.dealers, self.threshold, self.members) = (dealers, threshold, members)
  }

  /// What one dealer deals: a value for each new member, which is for that member alone, and the commitment, which is for all.
  /// - Parameter share: the dealer's.
  /// - Throws: `.identifierMissing` when the share is no dealer's, `.publicShareMissing` when it is not the one that the dealers know,
  ///   `.outOfMemory`.
  public func deal(_ share: KeyShare) throws(ThresholdError) -> TrustedDealer.Dealing {
    guard let place = dealers.identifiers.firstIndex(of: share.identifier) else { throw .identifierMissing }
    guard dealers.shares[place] == share.point else { throw .publicShareMissing }
    let part: SecretKey
    do throws(CurveError) { part = try share.secret.multiplied(by: dealers.coefficients[place].bytes) } catch {
      throw error == .outOfMemory ? .outOfMemory : .secretShareOutOfRange
    }
    return try TrustedDealer.split(part, threshold: threshold, members: members)
  }

  /// Whether a commitment is one to the dealer's own share, and for this threshold.
  /// - Parameter place: the dealer's place among `dealers`.
  public func isCommitment(_ commitment: SharingCommitment, ofDealerAt place: Int) -> Bool {
    guard dealers.identifiers.indices.contains(place), commitment.threshold == threshold else { return false }
    return commitment.points[0] == dealers.coefficients[place] * dealers.shares[place]
  }

  /// The commitment of the new sharing, which has the same key.
  /// - Parameter commitments: of all dealers, in their order.
  /// - Throws: `.unequalCounts`; `.wrongContribution(.dealing, …)` with the place of a dealer that deals something else.
  public func commitment(from commitments: [SharingCommitment]) throws(ThresholdError) -> SharingCommitment {
    guard commitments.count == dealers.identifiers.count else { throw .unequalCounts }
    if let place = commitments.indices.first(where: { !isCommitment(commitments[$0], ofDealerAt: $0) }) {
      throw .wrongContribution(.dealing, place: place)
    }
    return SharingCommitment(points: (0..<threshold).map { place in GroupElement.sum(commitments.map { $0.points[place] }) })
  }

  /// The share of a new member.
  /// - Parameters:
  ///   - identifier: the new member's number.
  ///   - parts: what each dealer sent to this member, in the order of the dealers.
  ///   - commitments: of all dealers, in their order.
  /// - Throws: as `commitment(from:)`; `.wrongContribution(.dealing, …)` with the place of a dealer that sent this member a wrong value;
  ///   `.identifierMissing` for a number that no new member has; `.outOfMemory`.
  public func share(
    of identifier: UInt32, from parts: [KeyShare], commitments: [SharingCommitment]
  ) throws(ThresholdError) -> KeyShare {
    guard identifier < members else { throw .identifierMissing }
    let sum = try commitment(from: commitments)
    guard parts.count == commitments.count else { throw .unequalCounts }
    if let place = parts.indices.first(where: { !isPart(parts[$0], of: commitments[$0], for: identifier) }) {
      throw .wrongContribution(.dealing, place: place)
    }
    let share = try KeyShare(try Self.sum(parts), identifier: identifier)
    // The parts are right one by one, so this fails only where the machine made a mistake.
    guard share.isConsistent(with: sum) else { throw .miscomputed }
    return share
  }

  private func isPart(_ part: KeyShare, of commitment: SharingCommitment, for identifier: UInt32) -> Bool {
    part.identifier == identifier && part.isConsistent(with: commitment)
  }

  private static func sum(_ parts: [KeyShare]) throws(ThresholdError) -> SecretKey {
    do throws(CurveError) {
      var sum = try parts[0].secret.duplicate()
      for part in parts.dropFirst() { sum = try sum.adding(part.secret) }
      return sum
    } catch { throw error == .outOfMemory ? .outOfMemory : .secretShareOutOfRange }
  }

  /// What all new members must have seen alike: the hash of who deals, for whom, and of all commitments. 32 bytes.
  /// - Parameters:
  ///   - commitments: of all dealers, in their order.
  ///   - context: what else they must agree on, such as the new members' names.
  public func transcript(of commitments: [SharingCommitment], context: [UInt8] = []) -> Bytes32 {
    var hash = SHA256(tag: "holdfast/resharing")
    hash.update(dealers.key.bytes)
    for number in [dealers.members, dealers.threshold, members, threshold, dealers.identifiers.count] {
      hash.update(bigEndian(UInt32(number)))
    }
    for (identifier, share) in zip(dealers.identifiers, dealers.shares) { hash.update(bigEndian(identifier) + share.bytes) }
    hash.update(bigEndian(UInt32(commitments.count)))
    for commitment in commitments { hash.update(bigEndian(UInt32(commitment.threshold)) + commitment.bytes) }
    hash.update(context)
    return hash.finish()
  }
}
