import CToken
import Platform
import SecretMemory
import Vault

/// One token, and the credential that opens it. Each call finds the token again, so it may be removed and inserted in between.
struct TokenDevice: Sendable {
  /// How long to wait for earlier calls, in milliseconds. Each of those has a limit.
  private static let turnMilliseconds = 180_000

  /// Whether a call is running. Cards and TPMs accept one caller at a time, and calls at the same time would need many processes.
  private static let isBusy = Locked(false)

  let uri: TokenURI?
  let module: TokenModule
  let pin: SecretBox?
  var limits = TokenLimits()

  /// Runs `body` without a login.
  func look<Result>(
    _ body: (TokenDriver.Token, TokenDriver) throws(KeyStoreError) -> Result
  ) throws(KeyStoreError) -> Result {
    try drive { (driver) throws(KeyStoreError) in try body(driver.token(uri), driver) }
  }

  /// Runs `body` with a login that lasts as long as the call.
  func use<Result>(
    _ body: (TokenDriver, TokenDriver.Token) throws(KeyStoreError) -> Result
  ) throws(KeyStoreError) -> Result {
    try drive { (driver) throws(KeyStoreError) in
      let token = try driver.token(uri)
      try driver.logIn(token, pin: pin)
      return try body(driver, token)
    }
  }

  /// Starts the drivers in a separate process that lasts as long as `body`.
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
