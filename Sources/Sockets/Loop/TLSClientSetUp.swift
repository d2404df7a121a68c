import COpenSSL
import CWebSockets  // which links libssl
import Platform

/// Fills the OpenSSL context of a TLS client, in a callback that libwebsockets makes while it creates one.
enum TLSClientSetUp {
  /// The folder is searched by hash, one authority at a time. Reading the whole bundle would cost 25 ms and several MiB.
  private static let systemAuthorities = "/etc/ssl/certs"
  private static let wanted = Locked<[SystemThread: TrustedAuthorities]>([:])

  /// Runs `make`. A TLS client context that is made during the call trusts these authorities.
  static func trusting<Result>(_ authorities: TrustedAuthorities, _ make: () -> Result) -> Result {
    wanted.withLock { $0[.current] = authorities }
    defer { wanted.withLock { $0[.current] = nil } }
    return make()
  }

  /// - Returns: 0, or 1 if the authorities cannot be read. No context is made then.
  static func load(_ context: OpaquePointer) -> Int32 {
    _ = SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_2_VERSION), nil)
    guard let authorities = wanted.withLock({ $0[.current] }) else { return 0 }
    let loaded =
      switch authorities {
      case .system: SSL_CTX_load_verify_dir(context, systemAuthorities)
      case .file(let path): SSL_CTX_load_verify_file(context, path)
      }
    ERR_clear_error()
    return loaded == 1 ? 0 : 1
  }
}
