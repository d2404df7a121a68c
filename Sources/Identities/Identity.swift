public import Curve
public import Encodings
public import Vault

/// A key the vault holds, by name.
public struct Identity: Sendable, Hashable {
  /// 1 to 64 bytes of UTF-8; no two identities of a vault have the same.
  public internal(set) var name: String
  /// Distinguishes identities, and never changes.
  public let publicKey: PublicKey
  /// Seconds since 1970-01-01 UTC.
  public let createdAt: Int64
  /// How the key came here.
  public let origin: Origin
  /// The NIP-06 account the key was derived for, when it came from words.
  public let account: UInt32?
  /// Whether a passphrase went into the words. It is not kept: the words alone do not give the key then.
  public let hasWordsPassphrase: Bool
  /// Which words the key came from; identities of the same words have the same. Nil when there are none here.
  public let words: Bytes32?
  /// What the `ncryptsec` that the key came in said of its past: 0, 1 or 2 as NIP-49 counts.
  public let keySecurity: UInt8?
  /// Under which class the key is sealed, and so when it can be used.
  public internal(set) var protection: ProtectionClass
  /// Whether it has given way to another key: it signs nothing but what says so.
  public internal(set) var isRetired = false
  /// Colour, emoji, relays, notes.
  public internal(set) var details: IdentityDetails

  init(
    name: String, publicKey: PublicKey, createdAt: Int64, origin: Origin, account: UInt32? = nil,
    hasWordsPassphrase: Bool = false, words: Bytes32? = nil, keySecurity: UInt8? = nil,
    protection: ProtectionClass = .whenUnlocked, details: IdentityDetails = IdentityDetails()
  ) {
    (self.name, self.publicKey, self.createdAt, self.origin) = (name, publicKey, createdAt, origin)
    (self.account, self.hasWordsPassphrase, self.words) = (account, hasWordsPassphrase, words)
    (self.keySecurity, self.protection, self.details) = (keySecurity, protection, details)
  }
}

extension Identity {
  /// How the key came here. The raw value is what is stored.
  public enum Origin: UInt8, Sendable, CaseIterable {
    case created = 1
    case importedNsec = 2
    case importedHex = 3
    case importedNcryptsec = 4
    case importedMnemonic = 5
    /// From Holdfast's own encrypted key file.
    case importedKeyFile = 6
    /// From another account's words that are here.
    case derived = 7
    /// From what another signer exported.
    case importedAmber = 8
    case importedNos2xFox = 9
    case importedNsecBunker = 10
    case importedKeep = 11
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
      case .importedKeyFile: "imported-key-file"
      case .derived: "derived"
      case .importedAmber: "imported-amber"
      case .importedNos2xFox: "imported-nos2x-fox"
      case .importedNsecBunker: "imported-nsecbunker"
      case .importedKeep: "imported-keep"
      case .vanity: "vanity"
      case .rotated: "rotated"
      }
    }
  }
}
