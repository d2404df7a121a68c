package import OwnerAPI

extension IdentityOrigin {
  /// Where a key came from, in words.
  package var words: String {
    switch self {
    case .created: "created here"
    case .importedNsec: "imported from an nsec"
    case .importedHex: "imported from hex digits"
    case .importedNcryptsec: "imported from an ncryptsec"
    case .importedMnemonic: "imported from words"
    case .importedKeyFile: "imported from a key file"
    case .derived: "another account of the same words"
    case .importedAmber: "imported from Amber"
    case .importedNos2xFox: "imported from nos2x-fox"
    case .importedNsecBunker: "imported from nsecbunkerd"
    case .importedKeep: "imported from keep"
    case .vanity: "found by a search for chosen letters"
    case .rotated: "made to replace another key"
    }
  }
}
