package import Curve
import Identities
import Platform
import Signer
import Vault

/// The keys for reading and writing guardians' envelopes.
///
/// Keys of identities that are usable while the signer is unlocked. Other keys are here only after the owner showed a credential,
/// for a limited time, and until anything locks.
package final class GuardianKeys: Sendable {
  private struct Opened {
    let key: KeyPair
    /// In milliseconds of the clock that counts since the boot.
    let until: Int64
  }

  private let identities: Identities
  private let sessionLock: SessionLock
  private let opened = Locked<[PublicKey: Opened]>([:])

  init(_ identities: Identities, _ sessionLock: SessionLock) { (self.identities, self.sessionLock) = (identities, sessionLock) }

  /// - Returns: nil while the key may not be used.
  func pair(for identity: PublicKey) -> KeyPair? {
    guard !sessionLock.isLocked else { return nil }
    if let own = opened.withLock({ $0[identity] }) { return own.until > Clock.bootMilliseconds ? own.key : nil }
    return try? identities.keyPair(for: identity)
  }

  /// As `pair`, without reading the key.
  package func isUsable(_ identity: PublicKey) -> Bool {
    guard !sessionLock.isLocked, let found = identities.all.first(where: { $0.publicKey == identity }) else {
      return false
    }
    return !found.protection.needsPresence || openUntil(identity) != nil
  }

  /// - Returns: the time up to which the owner opened it, in milliseconds of the clock that counts since the boot.
  package func openUntil(_ identity: PublicKey) -> Int64? {
    opened.withLock { $0[identity]?.until }.flatMap { $0 > Clock.bootMilliseconds ? $0 : nil }
  }

  func open(_ identity: PublicKey, _ key: KeyPair, until: Int64) {
    opened.change { $0[identity] = Opened(key: key, until: until) }
  }

  func forget() { opened.change { $0 = [:] } }

  func forgetOld(now: Int64) { opened.change { opened in opened = opened.filter { $0.value.until > now } } }
}
