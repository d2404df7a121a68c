package import OwnerAPI
package import VaultRepair

extension OperationError {
  /// Why a vault or its log could not be repaired, as sentences.
  package init(_ error: VaultRepairError) {
    switch error {
    case .nothingDamaged: self = .nothingDamaged
    case .nothingPutBack: self = .nothingPutBack
    case .noTemporaryFolder:
      self = .failed("The folder for temporary files cannot be written.", hint: "Name another folder: TMPDIR=FOLDER")
    case .logNotRenamed:
      self = .failed("The log's folder could not be renamed.", hint: "Check the folder and its permissions.")
    case .logNotPutAside: self = .failed("The log's folder could not be renamed.", hint: "Then: holdfast log renew")
    case .logNotBegun:
      self = .failed("The new log could not be written.", hint: "Free some disk space, then: holdfast log renew")
    }
  }

  package static let nothingDamaged = OperationError(
    .failed, "Every record of the vault is as it was written. There is nothing to repair.", hint: "Start the signer: holdfast up")

  package static let nothingPutBack = OperationError(
    .failed, "The vault is the newest: no older copy was put in its place. There is nothing to accept.",
    hint: "Start the signer: holdfast up")
}
