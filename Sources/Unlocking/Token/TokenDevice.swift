internal import CToken
internal import Platform
internal import SecretMemory
internal import Vault

/// One token that is meant, and what opens it. Each call finds it anew, so that it may have been pulled out and put back.
struct TokenDevice: Sendable {
  /// For the calls before this one, in milliseconds: each of them ends.
  private static let turnMilliseconds = 180_000

  /// Whether a call is under way. Cards and TPMs take one caller at a time, and many processes would be many.
  private static let isBusy = Locked(false)

  let uri: TokenURI?
  let module: TokenModule
  let pin: SecretBox?
  var limits = TokenLimits()

  /// Without a login.
  func look<Result>(
    _ body: (TokenDriver.Token, TokenDriver) throws(KeyStoreError) -> Result
  ) throws(KeyStoreError) -> Result {
    try drive { (driver) throws(KeyStoreError) in try body(driver.token(uri), driver) }
  }

  /// With a login, that ends with `body`.
  func use<Result>(
    _ body: (TokenDriver, TokenDriver.Token) throws(KeyStoreError) -> Result
  ) throws(KeyStoreError) -> Result {
    try drive { (driver) throws(KeyStoreError) in
      let token = try driver.token(uri)
      try driver.logIn(token, pin: pin)
      return try body(driver, token)
    }
  }

  /// Starts the drivers in a process of their own, that ends with `body`.
  func drive<Result>(_ body: (TokenDriver) throws(KeyStoreError) -> Result) throws(KeyStoreError) -> Result {
    guard Self.isBusy.wait(milliseconds: Self.turnMilliseconds, until: { $0 ? nil : Self.take(&$0) }) != nil else {
      throw .deviceFailed("an earlier call that does not end", code: 0)
    }
    defer { Self.isBusy.change { $0 = false } }
    let file = try module.open()
    let process = try DriverProcess(module: file)
    return try body(try TokenDriver(process, hasModule: file != nil, limits: limits))
  }

  private static func take(_ busy: inout Bool) -> Void? {
    busy = true
    return ()
  }
}
