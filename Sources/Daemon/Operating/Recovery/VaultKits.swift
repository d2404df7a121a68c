internal import JSON
internal import Mnemonics
internal import SecretMemory
internal import Vault

/// Kits that open the whole vault.
extension Operations {
  /// The owner shows who he is, where a running signer is asked. Without one, the vault was opened with the passphrase just now.
  func prove(_ given: Parameters) throws(OperationFailure) {
    if running != nil { try core.gate.verify(passphrase(given)) }
  }

  func enrolKit(
    _ given: Parameters, _ identifier: UInt16, _ label: String
  ) throws(OperationFailure) -> (RecoveryKit.Content, SecretBox) {
    throw .failed("This version makes kits of single identities only.", hint: "Name one with --identity NAME.")
  }

  func removeKitSlot(_ slot: UInt32) throws(OperationFailure) {
    throw .failed("This version makes kits of single identities only.", hint: "Name one with --identity NAME.")
  }

  func testSlot(_ secret: SecretBox, _ kit: RecoveryKit?) throws(OperationFailure) -> RestoredThing { throw .opensNothing }

  func restoreVault(_ given: Parameters) throws(OperationFailure) -> JSONValue {
    throw .failed("This version makes kits of single identities only.", hint: "Name one with --identity NAME.")
  }
}
