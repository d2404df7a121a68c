package import Curve
internal import Encodings
import Identities
internal import Platform
package import RemoteSigning
package import Vault

/// Which keys are loaded, and how long they stay: what the class of each identity says.
extension SessionLock {
  /// Gives the engine the keys that may be in memory now.
  ///
  /// After `shut` that is none, until the session is unlocked. Identities whose class needs presence are never among them.
  func loadKeys() throws(VaultError) {
    try learnClasses()
    guard !isShut else { return }
    // A locking that comes in between is no trouble: the engine takes only what stays.
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

  /// Reads under which class each key is sealed, and tells the engine before it gets any.
  func learnClasses() throws(VaultError) {
    var found: [PublicKey: ProtectionClass] = [:]
    for identity in identities.all {
      found[identity.publicKey] = try vault.protection(of: .identityKey, id: identity.publicKey.bytes.array)
    }
    setClasses(found)
    engine.setKeeping(found.mapValues(\.keeping))
  }

  /// How long an identity's key stays.
  package func keeping(of identity: PublicKey) -> KeyKeeping { protection(of: identity).keeping }
}

extension ProtectionClass {
  /// How long the signer keeps a key of that class.
  var keeping: KeyKeeping {
    if needsPresence { return .perUse }
    return base == .afterFirstUnlock ? .throughLocks : .whileUnlocked
  }

  /// Which proof of presence each use wants, as it is written in JSON; nil for none.
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
  /// Whether it keeps one identity from being used, and is no fault of the vault: its class is locked, of another device, opened by
  /// no slot, or its key went with its class.
  fileprivate var isAboutOneKey: Bool {
    switch self {
    case .locked, .otherDevice, .deviceSealed, .noSlotFor, .biometryChanged, .notFound: true
    default: false
    }
  }
}
