public import Curve
internal import Encodings

/// A key the vault holds, by name.
public struct Identity: Sendable, Hashable {
  /// How the key came here. The raw value is what is stored.
  public enum Origin: UInt8, Sendable, CaseIterable {
    case created = 1
    case importedNsec = 2
    case importedHex = 3
    case importedNcryptsec = 4
    case importedMnemonic = 5
    /// Found by searching for a key with a wanted beginning.
    case vanity = 12
    /// Made to follow another identity's key.
    case rotated = 13

    /// For people and JSON: `created`, `imported-nsec` …
    public var name: String {
      switch self {
      case .created: "created"
      case .importedNsec: "imported-nsec"
      case .importedHex: "imported-hex"
      case .importedNcryptsec: "imported-ncryptsec"
      case .importedMnemonic: "imported-mnemonic"
      case .vanity: "vanity"
      case .rotated: "rotated"
      }
    }
  }

  /// 1 to 64 bytes of UTF-8; no two identities of a vault have the same.
  public internal(set) var name: String
  /// Tells identities apart for ever.
  public let publicKey: PublicKey
  /// Seconds since 1970-01-01 UTC.
  public let createdAt: Int64
  /// How the key came here.
  public let origin: Origin
  /// The NIP-06 account the key was derived for, when it came from words.
  public let account: UInt32?
  /// Whether a passphrase went into the words. It is not kept: the words alone do not give the key then.
  public let hasWordsPassphrase: Bool
}

// The value of a record of kind identity (its id is the public key), for docs/FORMATS.md: 1 (1) · origin (1) · created at (8) ·
// flags (1): bit 0 an account follows, bit 1 a passphrase went into the words · account (4) if so · name, UTF-8.

extension Identity {
  private static let recordVersion: UInt8 = 1

  var recordValue: [UInt8] {
    var bytes = [Self.recordVersion, origin.rawValue]
    bytes.append(bigEndian: createdAt)
    bytes.append((account == nil ? 0 : 1) | (hasWordsPassphrase ? 2 : 0))
    if let account { bytes.append(bigEndian: account) }
    return bytes + Array(name.utf8)
  }

  init?(_ record: Record) {
    var reader = ByteReader(record.value[...])
    guard record.id.count == 32, let key = Bytes32(record.id), reader.byte() == Self.recordVersion,
      let origin = reader.byte().flatMap(Origin.init), let createdAt: Int64 = reader.integer(), let flags = reader.byte(),
      flags < 4
    else { return nil }
    var account: UInt32?
    if flags & 1 == 1 {
      guard let number: UInt32 = reader.integer() else { return nil }
      account = number
    }
    guard let name = IdentityName.checked(Array(reader.rest)) else { return nil }
    self.init(
      name: name, publicKey: PublicKey(key), createdAt: createdAt, origin: origin, account: account,
      hasWordsPassphrase: flags & 2 == 2)
  }
}
