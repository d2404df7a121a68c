import JSON
package import OwnerAPI
import Signer

/// What is answered while a damaged vault is only looked at.
extension DamagedVaultView {
  /// What is damaged, in one or two sentences.
  var sentence: String { report.sentence }

  /// What is said to everything else.
  package var refusal: OperationError {
    OperationError(
      .failed,
      sentence
        + " Until it is repaired, nothing is signed, and nothing is changed in it; you can look, export keys, make a backup.",
      hint: "See what is lost: holdfast vault repair --plan. To go on without it, stop the signer, then: holdfast vault repair"
    )
  }

  /// An answer, which says what it was read from.
  func marked(_ result: ControlResult) -> ControlResult {
    guard let members = result.json.members else { return result }
    let said = isLogLost ? sentence + " The log takes nothing now: what you export is recorded nowhere." : sentence
    return ControlResult(.object(members + [.init("vault_damaged", .string(said))]), secrets: result.secrets)
  }

  /// What is lost.
  var told: VaultLosses { VaultLosses(report) }

  /// What is said to whoever asks for the log; nil where it can be shown.
  var withoutLog: OperationError? {
    guard isLogLost else { return nil }
    return OperationError(
      .failed, sentence + " The log cannot be shown: what opens it is lost, or it is damaged itself.",
      hint: "Keep a copy of the folder. To begin a new log and keep the old one: holdfast vault repair")
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
