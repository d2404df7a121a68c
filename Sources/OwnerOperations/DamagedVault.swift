import JSON
package import OwnerAPI
import Signer

/// What is answered while a damaged vault is only looked at.
extension DamagedVaultView {
  /// What is said to everything else.
  package var refusal: OperationError {
    OperationError(
      .failed,
      sentence
        + " Until you repair it, nothing is signed and nothing in it is changed. You can read it, export keys and make a backup.",
      hint:
        "To see what is lost: holdfast vault repair --plan. To continue without it, stop the signer, then: holdfast vault repair"
    )
  }

  /// An answer, which says what it was read from.
  func marked(_ result: ControlResult) -> ControlResult {
    guard let members = result.json.members else { return result }
    let said = isLogLost ? sentence + " The log cannot be written now, so an export is not recorded." : sentence
    return ControlResult(.object(members + [.init("vault_damaged", .string(said))]), secrets: result.secrets)
  }

  /// What is lost.
  var told: VaultLosses {
    get throws {
      try VaultRepair.response(from: ControlResult(.object([.init("ok", false), .init("plan", true)] + members))).losses
    }
  }

  /// What is said to whoever asks for the log; nil where it can be shown.
  var withoutLog: OperationError? {
    guard isLogLost else { return nil }
    return OperationError(
      .failed, sentence + " The log cannot be shown: its keys are lost, or it is damaged too.",
      hint: "Make a copy of the folder. To begin a new log and keep the old one: holdfast vault repair")
  }
}

extension Operations {
  /// Refuses what a damaged vault does not allow.
  func checkLook(_ properties: OperationProperties) throws {
    guard let look = core.damagedView else { return }
    if !properties.isForDamagedVault { throw look.refusal }
    if properties.name.hasPrefix("log/"), let failure = look.withoutLog { throw failure }
  }
}
