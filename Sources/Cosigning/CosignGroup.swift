import Ciphers
public import Curve
public import Encodings
import Threshold

/// A group of members that hold the shares of one key, as all of them know it. Nothing in it is secret, but it tells who belongs together.
public struct CosignGroup: Sendable, Equatable {
  /// The most members of a group.
  public static let mostMembers = 32

  /// One member.
  public struct Member: Sendable, Equatable {
    /// The key by which the others know its messages. It is for that alone.
    public let key: PublicKey
    /// The public half of its share, 33 bytes.
    public let publicShare: [UInt8]

    /// - Parameter publicShare: 33 bytes.
    public init(key: PublicKey, publicShare: [UInt8]) { (self.key, self.publicShare) = (key, publicShare) }
  }

  /// The group's key, 33 bytes.
  public let publicKey: [UInt8]
  /// How many members sign at least.
  public let threshold: Int
  /// In the order of their numbers, which begin with 0.
  public let members: [Member]
  /// How often shares were dealt anew: shares of different epochs do not sign together.
  public let epoch: UInt32
  /// The hash of all of the above. Members with different ideas of the group do not understand each other's messages.
  public let id: Bytes32

  /// - Parameter publicKey: 33 bytes.
  /// - Throws: `.badGroup` when the public shares do not make the key, a key of a member is there twice, or a number is out of range.
  public init(publicKey: [UInt8], threshold: Int, members: [Member], epoch: UInt32 = 0) throws(CosignError) {
    guard members.count <= Self.mostMembers, Set(members.map(\.key)).count == members.count else { throw .badGroup }
    (self.publicKey, self.threshold, self.members, self.epoch) = (publicKey, threshold, members, epoch)
    var hash = SHA256(tag: "holdfast/cosigning/group")
    hash.update(publicKey)
    for number in [UInt32(clamping: threshold), UInt32(members.count), epoch] { hash.update(bytes(of: number)) }
    for member in members { hash.update(member.key.bytes.array + member.publicShare) }
    id = hash.finish()
    guard (try? signers(Array(0..<UInt32(members.count)))) != nil else { throw .badGroup }
  }

  /// The number of the member with this key; nil for a stranger.
  public func number(of key: PublicKey) -> UInt32? { members.firstIndex { $0.key == key }.map { UInt32($0) } }

  /// The key for which the group signs.
  public var author: PublicKey? { Bytes32(publicKey.dropFirst()).map { PublicKey($0) } }

  /// The members with these numbers, for one signature.
  func signers(_ numbers: [UInt32]) throws(ThresholdError) -> SignerSet {
    guard numbers.allSatisfy({ $0 < members.count }) else { throw .identifierMissing }
    return try SignerSet(
      members: members.count, threshold: threshold, identifiers: numbers,
      publicShares: numbers.map { members[Int($0)].publicShare }, publicKey: publicKey)
  }
}

private func bytes(of number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { [UInt8]($0) } }
