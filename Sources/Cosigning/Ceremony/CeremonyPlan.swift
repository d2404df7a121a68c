import Ciphers
public import Curve
public import Encodings

/// Who becomes a member of a new group, and how its key comes about. All members see the same plan before anybody does anything secret.
public struct CeremonyPlan: Sendable, Equatable {
  /// How the shares come about.
  public enum Way: String, Sendable {
    /// The members generate the key together (ChillDKG), and nobody ever has it whole.
    case generated
    /// The host splits a key that exists. It had the whole key, and nobody can check that it deletes it.
    case dealt
  }

  /// A member to be.
  public struct Participant: Sendable, Equatable {
    /// The key by which the others will know its messages.
    public let key: PublicKey
    /// Its host key of ChillDKG, 33 bytes. It is for this ceremony alone.
    public let hostKey: [UInt8]

    /// - Parameter hostKey: 33 bytes.
    public init(key: PublicKey, hostKey: [UInt8]) { (self.key, self.hostKey) = (key, hostKey) }
  }

  /// The longest name of a group, in bytes of UTF-8.
  public static let longestName = 64

  /// What all messages of the ceremony have in common; random.
  public let ceremony: Bytes32
  /// The host's name for the group.
  public let name: String
  /// How the shares come about.
  public let way: Way
  /// How many members sign at least.
  public let threshold: Int
  /// In the order of their numbers; the host is number 0.
  public let members: [Participant]

  /// - Throws: `.badGroup` for fewer than two members or too many, a threshold that is not from 2 to their number, a key that is there twice,
  ///   or a name that is empty or too long.
  public init(
    ceremony: Bytes32, name: String, way: Way, threshold: Int, members: [Participant]
  ) throws(CosignError) {
    (self.ceremony, self.name, self.way, self.threshold, self.members) = (ceremony, name, way, threshold, members)
    let keys = Set(members.map(\.key))
    let hostKeys = Set(members.map(\.hostKey))
    guard Self.isPossible(threshold: threshold, members: members.count), keys.count == members.count,
      hostKeys.count == members.count, (1...Self.longestName).contains(name.utf8.count),
      members.allSatisfy({ (try? CompressedPublicKey($0.hostKey)) != nil })
    else { throw .badGroup }
  }

  /// Whether there can be a group of this size. With a threshold of 1 each member could sign alone, which is no group.
  static func isPossible(threshold: Int, members: Int) -> Bool {
    (2...CosignGroup.mostMembers).contains(members) && (2...members).contains(threshold)
  }

  /// What the members compare, by words or digits, to know that they have the same plan and therefore each other's keys: 32 bytes.
  public var hash: Bytes32 {
    var hash = SHA256(tag: "holdfast/cosigning/ceremony")
    hash.update(ceremony.array + [way == .generated ? 0 : 1, UInt8(threshold), UInt8(members.count), UInt8(name.utf8.count)])
    hash.update(Array(name.utf8))
    for member in members { hash.update(member.key.bytes.array + member.hostKey) }
    return hash.finish()
  }
}
