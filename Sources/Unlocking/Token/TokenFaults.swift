import CToken
import Vault

extension KeyStoreError {
  /// The error for the result of a PKCS#11 function.
  /// - Parameters:
  ///   - step: the action, for the message.
  ///   - status: `CKR_…`, never `CKR_OK`.
  init(token status: CK_RV, _ step: StaticString) {
    switch Int(truncatingIfNeeded: status) {
    case Int(CKR_PIN_INCORRECT), Int(CKR_PIN_INVALID), Int(CKR_PIN_LEN_RANGE):
      self = .authenticationFailed(triesLeft: nil, waitSeconds: 0)
    case Int(CKR_PIN_LOCKED): self = .biometryLockout
    case Int(CKR_TOKEN_NOT_PRESENT), Int(CKR_DEVICE_REMOVED), Int(CKR_TOKEN_NOT_RECOGNIZED), Int(CKR_SLOT_ID_INVALID),
      Int(CKR_SESSION_HANDLE_INVALID), Int(CKR_SESSION_CLOSED):
      self = .notPresent("the token")
    case Int(CKR_FUNCTION_CANCELED): self = .userCancelled
    case Int(CKR_KEY_HANDLE_INVALID), Int(CKR_OBJECT_HANDLE_INVALID): self = .itemNotFound
    default: self = .deviceFailed(step, code: UInt64(status))
    }
  }
}

/// Throws the result of a PKCS#11 function as an error, unless it is `CKR_OK`.
func check(_ status: CK_RV, _ step: StaticString) throws(KeyStoreError) {
  guard status == CK_RV(CKR_OK) else { throw KeyStoreError(token: status, step) }
}
