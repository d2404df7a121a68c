import CKeyring

/// libsecret, loaded at first use.
final class KeyringLibrary: Sendable {
  /// Nil when it is not installed.
  static let shared = KeyringLibrary()

  nonisolated(unsafe) let functions: holdfast_keyring  // function pointers only; each call documents what may be shared

  private init?() {
    var functions = holdfast_keyring()
    guard holdfast_keyring_load(&functions) == 1 else { return nil }
    self.functions = functions
  }
}
