import CCurl

/// libcurl, loaded at first use.
final class CurlLibrary: Sendable {
  /// Nil when it is not installed, or too old.
  static let shared = CurlLibrary()

  nonisolated(unsafe) let functions: holdfast_curl  // function pointers only; the library allows calls from any thread

  private init?() {
    var functions = holdfast_curl()
    guard holdfast_curl_load(&functions) == 1 else { return nil }
    self.functions = functions
  }
}
