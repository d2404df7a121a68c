import Curve

/// The members that sign together, checked: their public shares make the group's key (BIP-445, section "Signers Context").
///
/// Making one costs a multiplication for each signer, so keep it for as long as the same members sign.
public struct SignerSet: Sendable {
  /// How many members the group has.
  public let members: Int
  /// How many of them sign at least.
  public let threshold: Int
  /// From 0 to one less than `members`, in the order in which nonces and partial signatures are listed.
  public let identifiers: [UInt32]
  let shares: [GroupElement]
  let coefficients: [PublicScalar]
  let key: GroupElement

  /// - Parameters:
  ///   - publicShares: 33 bytes of each signer, in the order of `identifiers`.
  ///   - publicKey: the group's key, 33 bytes.
  /// - Throws: what is wrong, with the place in the list. It is the caller's input that is wrong, not a member's message.
  public init(
    members: Int, threshold: Int, identifiers: [UInt32], publicShares: [[UInt8]], publicKey: [UInt8]
  ) throws(ThresholdError) {
    guard 1 <= threshold, threshold <= members else { throw .thresholdOutOfRange }
    guard (threshold...members).contains(identifiers.count) else { throw .signerCount }
    guard publicShares.count == identifiers.count else { throw .unequalCounts }
    (self.members, self.threshold, self.identifiers) = (members, threshold, identifiers)
    shares = try Self.points(publicShares, of: identifiers, members)
    guard Set(identifiers).count == identifiers.count else { throw .identifierRepeated }
    coefficients = Interpolation.coefficients(identifiers)
    guard let key = GroupElement(publicKey) else { throw .publicKeyInvalid }
    self.key = key
    guard GroupElement.sum(zip(coefficients, shares).map { $0 * $1 }) == key else { throw .keyMaterialInconsistent }
  }

  private static func points(
    _ shares: [[UInt8]], of identifiers: [UInt32], _ members: Int
  ) throws(ThresholdError) -> [GroupElement] {
    var points: [GroupElement] = []
    for (place, (identifier, share)) in zip(identifiers, shares).enumerated() {
      guard identifier < members else { throw .identifierOutOfRange(place: place) }
      guard let point = GroupElement(share) else { throw .publicShareInvalid(place: place) }
      points.append(point)
    }
    return points
  }

  /// The sorted identifiers, 4 bytes each, big-endian.
  var encodedIdentifiers: [UInt8] { identifiers.sorted().flatMap(bigEndian) }
}

/// The bytes of a number, the highest first.
func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { [UInt8]($0) } }
