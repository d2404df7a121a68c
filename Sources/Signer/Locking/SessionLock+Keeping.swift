package import Curve
import Encodings
import Identities
import Platform
package import RemoteSigning
package import Vault

/// Which keys are in memory and for how long, according to the class of each identity.
extension SessionLock {
  /// Gives the engine the keys that may be in memory now.
  ///
  /// After `shut` there are none until the session is unlocked. Keys of classes that require presence are never among them.
  func loadKeys() throws(VaultError) {
    try learnClasses()
    guard !isShut else { return }
    // A lock that happens in between does no harm: the engine accepts only keys that may stay.
    engine.setIdentities(try keys())
  }

  /// The keys whose class keys are in memory.
  func keys() throws(VaultError) -> [KeyPair] {
    var pairs: [KeyPair] = []
    for identity in identities.all where keeping(of: identity.publicKey) != .perUse && !engine.isRetired(identity.publicKey) {
      do throws(VaultError) { pairs.append(try identities.keyPair(for: identity.publicKey)) } catch {
        guard error.isAboutOneKey else { throw error }
      }
    }
    return pairs
  }

  /// Reads the class of each key, and tells the engine before it gets any key.
  func learnClasses() throws(VaultError) {
    var found: [PublicKey: ProtectionClass] = [:]
    for identity in identities.all {
      found[identity.publicKey] = try vault.protection(of: .identityKey, id: identity.publicKey.bytes.array)
    }
    setClasses(found)
    engine.setKeeping(found.mapValues(\.keeping))
  }

  /// How long an identity's key stays in memory.
  package func keeping(of identity: PublicKey) -> KeyKeeping { protection(of: identity).keeping }
}

extension ProtectionClass {
  /// How long the signer keeps a key of that class.
  var keeping: KeyKeeping {
    if needsPresence { return .perUse }
    return base == .afterFirstUnlock ? .throughLocks : .whileUnlocked
  }

  /// The proof of presence that each use requires, as written in JSON; nil for none.
  package var presence: String? {
    switch base {
    case .devicePasscode: "passcode"
    case .biometricAny, .biometricRequired: "passkey"
    case .biometricOrPasscode: "passkey-or-passcode"
    default: nil
    }
  }
}

extension VaultError {
  /// Whether it makes one identity unusable without being an error of the vault: its class is locked, belongs to another device,
  /// or is opened by no slot, or the key was lost with its class.
  /// no slot, or its key went with its class.
  fileprivate var isAboutOneKey: Bool {
    switch self {
    case .locked, .otherDevice, .deviceSealed, .noSlotFor, .biometryChanged, .notFound: true
    default: false
    }
  }
}
