package import OwnerOperations
import Platform

/// The credential that opens the vault at the start. It can be taken once, because a daemon that runs for months must not hold
/// the passphrase it was started with. A plain argument of `Daemon.run` would be held until that returns.
package final class StartCredential: Sendable {
  private struct Holder: @unchecked Sendable {  // Sendable: handed over whole, by one thread at a time
    var credential: ShownCredential?
  }
  private let holder: Locked<Holder>

  /// Takes over the credential; the caller keeps no copy.
  package init(_ credential: consuming ShownCredential) { holder = Locked(Holder(credential: credential)) }

  /// Nil if it was taken before.
  func take() -> ShownCredential? {
    holder.withLock { holder in
      defer { holder.credential = nil }
      return holder.credential
    }
  }
}
