import CommandLine

/// The `--relay` options.
enum RelayOption {
  /// - Throws: unless every value begins with `ws://` or `wss://` and has more after that. The rest is checked where it is used.
  static func check(_ invocation: Invocation) throws(UsageError) {
    for value in invocation.values("relay") {
      guard ["ws://", "wss://"].contains(where: { value.utf8.starts(with: $0.utf8) && value.utf8.count > $0.utf8.count }) else {
        throw .valueMalformed(option: "relay", form: "an address that begins with ws:// or wss://")
      }
    }
  }
}
