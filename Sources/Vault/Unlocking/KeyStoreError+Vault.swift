extension KeyStoreError {
  /// The vault's error, under the name that Swift programmers know if there is one.
  public init(_ error: VaultError) {
    switch error {
    case .wrongPassphrase(let seconds): self = .authenticationFailed(triesLeft: nil, waitSeconds: seconds)
    case .locked, .presenceRequired: self = .interactionNotAllowed
    case .notFound: self = .itemNotFound
    case .nameTaken: self = .duplicateItem
    case .biometryChanged: self = .biometryChanged
    case .corrupt(let what): self = .corrupt(what)
    default: self = .vault(error)
    }
  }
}

extension VaultError {
  /// What a passphrase's opener or the vault threw.
  init(_ error: KeyStoreError) {
    switch error {
    case .authenticationFailed(_, let seconds): self = .wrongPassphrase(waitSeconds: seconds)
    case .interactionNotAllowed: self = .locked
    case .itemNotFound: self = .notFound
    case .duplicateItem: self = .nameTaken
    case .biometryChanged: self = .biometryChanged
    case .corrupt(let what): self = .corrupt(what: what)
    case .vault(let error): self = error
    case .deviceFailed(let step, let code): self = .io(step, code: Int32(truncatingIfNeeded: code))
    case .userCancelled, .biometryNotAvailable, .biometryNotEnrolled, .biometryLockout, .notPresent: self = .noSuchSlot
    }
  }
}

/// Runs what throws the vault's error, and throws the key store's.
/// - Parameter failed: called before the error is thrown.
func keyStoreFault<Result: ~Copyable>(
  orElse failed: () -> Void = {}, _ body: () throws(VaultError) -> Result
) throws(KeyStoreError) -> Result {
  do { return try body() } catch {
    failed()
    throw KeyStoreError(error)
  }
}
