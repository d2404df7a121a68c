import CPAM

/// libpam, loaded at first use.
final class PAMLibrary: Sendable {
  /// Nil when it is not installed.
  static let shared = PAMLibrary()

  let functions: holdfast_pam

  private init?() {
    var functions = holdfast_pam()
    guard holdfast_pam_load(&functions) == 1 else { return nil }
    self.functions = functions
  }
}
