import Threshold

/// A nonce that waits for its signature, in memory alone: it is never stored, so neither a copy of the disk, nor an older state of it, nor a
/// second process can use it again. It is taken once.
final class OneNonce {
  /// What the others see of it.
  let shown: PublicNonce
  private var secret: SecretNonce?

  init(_ secret: consuming SecretNonce) {
    shown = secret.publicNonce
    self.secret = consume secret
  }

  /// The nonce, the first time; nil from then on.
  func take() -> SecretNonce? { secret.take() }
}
