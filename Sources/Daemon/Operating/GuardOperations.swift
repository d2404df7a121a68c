internal import AuditLog
internal import JSON
internal import SecretMemory

/// Locking and unlocking.
extension Operations {
  func lock(_ given: Parameters) throws(OperationFailure) -> JSONValue {
    guard running != nil else { throw .nothingUnlocked }
    core.gate.lock(.by(given.channel))
    return .object([.init("locked", .bool(true))])
  }

  func unlock(_ given: Parameters) throws(OperationFailure) -> JSONValue {
    guard running != nil else { throw .nothingUnlocked }
    try core.gate.unlock(passphrase(given))
    return .object([.init("locked", .bool(core.gate.isLocked))])
  }

  /// The vault's passphrase, which came as a secret.
  func passphrase(_ given: Parameters) throws(OperationFailure) -> SecretBytes {
    guard let secret = given.secret("passphrase") else {
      throw .usage("The vault's passphrase is missing.", hint: "It is read from the terminal, or from --passphrase-file FILE.")
    }
    do { return try secret.duplicate() } catch { throw .failed("There is no guarded memory left.") }
  }
}

extension OperationFailure {
  static let nothingUnlocked = OperationFailure(
    .failed, "No signer runs on this home, so there is nothing to lock or unlock.", hint: "Start it with: holdfast up")
  static let unlockFirst = OperationFailure(.locked, "The signer is locked.", hint: "Unlock it first: holdfast unlock")
}

extension AuditRule {
  /// Who locked it.
  static func by(_ channel: OwnerChannel) -> AuditRule { AuditRule(clipping: "by the owner (\(channel.rawValue))") }
}
