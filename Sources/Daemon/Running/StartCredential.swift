package import OwnerOperations
import Platform

/// What opens the vault at the start. Given away once: a daemon that runs for months shall not hold the passphrase it was started with,
/// as a plain argument of `Daemon.run` would be held until that returns.
package final class StartCredential: Sendable {
  private struct Holder: @unchecked Sendable {  // Sendable: handed over whole, by one thread at a time
    var evidence: ShownCredential?
  }
  private let holder: Locked<Holder>

  /// Takes what was read; the caller keeps no copy.
  package init(_ evidence: consuming ShownCredential) { holder = Locked(Holder(evidence: evidence)) }

  /// Nil when it was taken before.
  func take() -> ShownCredential? {
    holder.withLock { holder in
      defer { holder.evidence = nil }
      return holder.evidence
    }
  }
}
