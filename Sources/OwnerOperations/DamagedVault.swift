import JSON
package import OwnerAPI
import Signer

/// The answers while only the intact part of a damaged vault is viewed.
extension DamagedVaultView {
  /// What is damaged, in one or two sentences.
  var sentence: String { report.sentence }

  /// The error for every operation that a view does not allow.
  package var refusal: OperationError {
    OperationError(
      .failed,
      sentence
        + " Until you repair it, nothing is signed and nothing in it is changed. You can read it, export keys and make a backup.",
      hint:
        "To see what is lost: holdfast vault repair --plan. To continue without it, stop the signer, then: holdfast vault repair"
    )
  }

  /// A response marked as read from a damaged vault.
  func marked(_ result: ControlResult) -> ControlResult {
    guard let members = result.json.members else { return result }
    let said = isLogLost ? sentence + " The log cannot be written now, so an export is not recorded." : sentence
    return ControlResult(.object(members + [.init("vault_damaged", .string(said))]), secrets: result.secrets)
  }

  /// The losses.
  var told: VaultLosses { VaultLosses(report) }

  /// The error for operations that need the log; nil if it can be read.
  var withoutLog: OperationError? {
    guard isLogLost else { return nil }
    return OperationError(
      .failed, sentence + " The log cannot be shown: its keys are lost, or it is damaged too.",
      hint: "Make a copy of the folder. To begin a new log and keep the old one: holdfast vault repair")
  }
}

extension Operations {
  /// Refuses operations that a view of a damaged vault does not allow.
  func checkLook(_ properties: OperationProperties) throws {
    guard let view = home.damagedView else { return }
    if !properties.isForDamagedVault { throw view.refusal }
    if properties.name.hasPrefix("log/"), let failure = view.withoutLog { throw failure }
  }
}
