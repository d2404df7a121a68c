internal import CToken
internal import SecretMemory
internal import Vault

/// One token that is meant, and what opens it. Each call finds it anew, so that it may have been pulled out and put back.
struct TokenDevice: Sendable {
  /// For an answer of a token that is there. A smart card takes a second, a module that hangs for ever takes for ever.
  static let milliseconds = 20_000
  /// For a new key: a TPM may search an RSA key for half a minute.
  static let makingMilliseconds = 120_000

  /// PKCS#11 keeps one login for the whole process: two calls at once could use each other's.
  static let calls = TimeLimit("waiting for the token")

  let uri: TokenURI?
  let module: String?
  let pin: SecretBox?

  /// Without a login.
  func look<Result: Sendable>(
    _ body: @escaping @Sendable (Token, borrowing TokenModules) throws(KeyStoreError) -> Result
  ) throws(KeyStoreError) -> Result {
    try Self.calls.run(milliseconds: Self.milliseconds) { () throws(KeyStoreError) in
      let modules = try TokenModules(path: module)
      return try body(modules.token(uri), modules)
    }
  }

  /// With a login, that ends with `body`.
  func use<Result: Sendable>(
    milliseconds: Int = TokenDevice.milliseconds,
    _ body: @escaping @Sendable (borrowing TokenSession) throws(KeyStoreError) -> Result
  ) throws(KeyStoreError) -> Result {
    try Self.calls.run(milliseconds: milliseconds) { () throws(KeyStoreError) in
      let modules = try TokenModules(path: module)
      let session = try TokenSession(modules.token(uri), pin: pin)
      return try body(session)
    }
  }
}
