import Curve
import Identities
import Mnemonics
import SecretMemory
import Vault

/// How the secret of an identity's kit gives a key. The shares do not say which form it has: 32 bytes may be either.
enum KitForm: Sendable, Equatable {
  /// The secret is the key itself, 32 bytes.
  case key
  /// The secret is the entropy of English BIP-39 words, and the key is at m/44'/1237'/account'/0/0 (NIP-06).
  case words(account: UInt32)
}

extension KitForm {
  /// How many accounts from 0 on are searched for a named key. A higher account must be named, too.
  static let accountsSearched: UInt32 = 1000

  /// Finds how a secret gives one key.
  /// - Parameters:
  ///   - secret: of any length.
  ///   - account: the only account that is tried, below 2^31; nil tries the first thousand.
  /// - Returns: nil if the secret does not give that key.
  static func of(_ secret: SecretBox, giving key: PublicKey, account: UInt32? = nil) throws(IdentityError) -> KitForm? {
    if KitSecret.publicKey(ofKey: secret) == key { return .key }
    guard let accounts = try KitSecret.accounts(of: secret) else { return nil }
    let first = account ?? 0
    for number in first...(account ?? accountsSearched - 1) where try accounts.publicKey(number) == key {
      return .words(account: number)
    }
    return nil
  }

  /// The forms that a secret may have if nobody says which key it must give.
  /// - Parameters:
  ///   - areWords: whether the owner said that the shares hold words.
  ///   - account: below 2^31.
  /// - Returns: none for a secret that is neither a key nor entropy.
  static func possible(
    of secret: SecretBox, areWords: Bool, account: UInt32?
  ) throws(IdentityError) -> [(form: KitForm, key: PublicKey)] {
    var found: [(KitForm, PublicKey)] = []
    if !areWords, account == nil, let key = KitSecret.publicKey(ofKey: secret) { found.append((.key, key)) }
    if let accounts = try KitSecret.accounts(of: secret) {
      found.append((.words(account: account ?? 0), try accounts.publicKey(account ?? 0)))
    }
    return found
  }

  /// A description for people: “24 words, account 0”.
  /// - Parameter secretLength: the length of the secret in bytes.
  func text(secretLength: Int) -> String {
    switch self {
    case .key: "a secret key"
    case .words(let account): "\(secretLength * 3 / 4) words, account \(account)"
    }
  }
}
