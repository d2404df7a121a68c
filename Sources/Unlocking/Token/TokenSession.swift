import CToken
import SecretMemory
import Vault

/// One logged-in session with a token. It is logged out and closed when it goes out of scope.
struct TokenSession: ~Copyable {
  let token: Token
  let handle: CK_SESSION_HANDLE

  /// Opens a session and shows the PIN, once.
  ///
  /// The token counts wrong PINs. No PIN is shown to a token that reports it is locked, since that may count, too.
  /// - Parameter pin: as typed; nil for a token with its own keypad.
  /// - Throws: `.authenticationFailed` with the remaining attempts if the token reports them, `.biometryLockout`, `.notPresent`,
  ///   `.deviceFailed`.
  init(_ token: Token, pin: SecretBox?) throws(KeyStoreError) {
    if token.info.flags & CK_FLAGS(CKF_USER_PIN_LOCKED) != 0 { throw .biometryLockout }
    guard token.info.flags & CK_FLAGS(CKF_USER_PIN_INITIALIZED) != 0 else {
      throw .deviceFailed("logging in: the token has no PIN yet", code: UInt64(CKR_USER_PIN_NOT_INITIALIZED))
    }
    guard let open = token.module.pointee.C_OpenSession, let close = token.module.pointee.C_CloseSession else {
      throw .deviceFailed("opening a session", code: 0)
    }
    var handle = CK_SESSION_HANDLE()
    let flags = CK_FLAGS(CKF_SERIAL_SESSION) | CK_FLAGS(CKF_RW_SESSION)
    try check(open(token.slot, flags, nil, nil, &handle), "opening a session")
    do throws(KeyStoreError) { try Self.logIn(token, handle, pin) } catch {
      _ = close(handle)
      throw error
    }
    self.token = token
    self.handle = handle
  }

  deinit {
    _ = token.module.pointee.C_Logout?(handle)
    _ = token.module.pointee.C_CloseSession?(handle)
  }

  private static func logIn(_ token: Token, _ session: CK_SESSION_HANDLE, _ pin: SecretBox?) throws(KeyStoreError) {
    guard let logIn = token.module.pointee.C_Login, let logOut = token.module.pointee.C_Logout else {
      throw .deviceFailed("logging in", code: 0)
    }
    var status = show(pin, to: logIn, session)
    if status == CK_RV(CKR_USER_ALREADY_LOGGED_IN) {
      // An earlier login in this process does not show that this PIN is correct.
      try check(logOut(session), "logging out")
      status = show(pin, to: logIn, session)
    }
    guard status != CK_RV(CKR_OK) else { return }
    let fault = KeyStoreError(token: status, "logging in")
    guard case .authenticationFailed = fault else { throw fault }
    throw wrongPIN(token)
  }

  private typealias Login =
    @convention(c) (CK_SESSION_HANDLE, CK_USER_TYPE, UnsafeMutablePointer<CK_UTF8CHAR>?, CK_ULONG) -> CK_RV

  private static func show(_ pin: SecretBox?, to logIn: Login, _ session: CK_SESSION_HANDLE) -> CK_RV {
    guard let pin else { return logIn(session, CK_USER_TYPE(CKU_USER), nil, 0) }
    return pin.withBytes { bytes in
      // The interface lacks `const`; modules only read the memory.
      let start = UnsafeMutableRawPointer(mutating: bytes.baseAddress)?.assumingMemoryBound(to: CK_UTF8CHAR.self)
      return logIn(session, CK_USER_TYPE(CKU_USER), start, CK_ULONG(bytes.count))
    }
  }

  /// The meaning of the token's flags after a wrong PIN. They report "few" or "one" remaining attempts, never another number.
  private static func wrongPIN(_ token: Token) -> KeyStoreError {
    var info = CK_TOKEN_INFO()
    guard token.module.pointee.C_GetTokenInfo?(token.slot, &info) == CK_RV(CKR_OK) else {
      return .authenticationFailed(triesLeft: nil, waitSeconds: 0)
    }
    if info.flags & CK_FLAGS(CKF_USER_PIN_LOCKED) != 0 { return .biometryLockout }
    let isLast = info.flags & CK_FLAGS(CKF_USER_PIN_FINAL_TRY) != 0
    return .authenticationFailed(triesLeft: isLast ? 1 : nil, waitSeconds: 0)
  }
}
