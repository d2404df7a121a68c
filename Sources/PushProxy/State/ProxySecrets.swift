package import Ciphers
package import Curve
import Platform
import SecretMemory

/// The proxy's own keys. They are kept beside the registrations: several proxies that share those are one proxy to relays and push services.
package struct ProxySecrets: ~Copyable {
  /// Logs in to relays (NIP-42).
  package let relayLogin: KeyPair
  /// Identifies the proxy to Web Push services (RFC 8292). Browsers subscribe for its public half, so it must not change.
  package let webPush: P256.PrivateKey

  /// The key, for its one owner.
  consuming func takeWebPush() -> P256.PrivateKey { webPush }
}

extension Registrations {
  /// The proxy's keys, made at the first call.
  /// - Throws: `.damaged` for a stored key that is none.
  package func secrets() throws(RegistrationsError) -> ProxySecrets {
    try writer.withLock { writer throws(RegistrationsError) in try writer.database.secrets() }
  }
}

extension RegistrationsConnection {
  func secrets() throws(RegistrationsError) -> ProxySecrets {
    let login = try secret("relay-login") { () throws(CurveError) in try SecretKey.random().withBytes { Array($0) } }
    let push = try secret("web-push") { () throws(CipherError) in try P256.PrivateKey.random().withBytes { Array($0) } }
    do {
      return ProxySecrets(relayLogin: try KeyPair(SecretKey(wrapped(login))), webPush: try P256.PrivateKey(wrapped(push)))
    } catch { throw .damaged }
  }

  private func wrapped(_ scalar: [UInt8]) throws(SecretBytesError<Never>) -> SecretBytes {
    try SecretBytes(count: scalar.count) { $0.copyBytes(from: scalar) }
  }

  /// - Parameter make: a new one. When another proxy makes one at the same time, one of the two counts for both.
  private func secret(_ name: String, _ make: () throws -> [UInt8]) throws(RegistrationsError) -> [UInt8] {
    if let known = try secret(name) { return known }
    guard let made = try? make() else { throw .outOfMemory }
    _ = try transaction { () throws(RegistrationsError) in
      try write("INSERT INTO secrets (name, secret) VALUES (?1, ?2) ON CONFLICT (name) DO NOTHING", .text(name), .bytes(made))
    }
    guard let kept = try secret(name) else { throw .damaged }
    return kept
  }

  /// A stored secret; nil when there is none.
  func secret(_ name: String) throws(RegistrationsError) -> [UInt8]? {
    try rows("SELECT secret FROM secrets WHERE name = ?1", .text(name)) { $0.bytes(0) }.first
  }
}
