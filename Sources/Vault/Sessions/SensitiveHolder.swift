import Platform
import SecretMemory

/// Something that holds sensitive data of a session and can wipe it.
public protocol SensitiveHolder: AnyObject, Sendable {
  /// Wipes it. Called while the session's lock is held: must not call the session.
  func wipe()
}

/// A secret that lives as long as its session is open. Made by `SessionManager.hold`.
public final class HeldSecret: SensitiveHolder {
  private let secret: Locked<SecretBox?>
  private let session: SessionManager

  init(_ secret: SecretBox, of session: SessionManager) {
    self.secret = Locked(secret)
    self.session = session
  }

  /// Lends the bytes for the length of one call. They must not escape `body`. Locking meanwhile wipes them when `body` returns.
  /// - Throws: `.interactionNotAllowed` once the session was locked, has ended, or its time is over, whether or not a timer has
  ///   noticed. Starting it again does not restore the secret. Also what `body` throws.
  public func use<Result>(
    _ body: (UnsafeRawBufferPointer) throws(KeyStoreError) -> Result
  ) throws(KeyStoreError) -> Result {
    guard session.isOpen, let box = secret.withLock({ $0 }) else { throw .interactionNotAllowed }
    return try box.withBytes(body)
  }

  /// Lets go of the secret.
  public func wipe() { secret.withLock { $0 = nil } }
}
