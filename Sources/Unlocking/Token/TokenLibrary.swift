import CToken

/// p11-kit, loaded at first use.
final class TokenLibrary: Sendable {
  /// Nil when it is not installed.
  static let shared = TokenLibrary()

  let functions: holdfast_p11

  private init?() {
    var functions = holdfast_p11()
    guard holdfast_p11_load(&functions) == 1 else { return nil }
    self.functions = functions
  }
}
