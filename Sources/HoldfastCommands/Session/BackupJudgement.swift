import OwnerAPI
import OwnerOperations
import ResponseTexts
import Signer
import TerminalUI

/// What the backups are worth if this machine is lost, in the words of the console's checklist.
struct BackupJudgement {
  private let step: CustodyStep

  /// - Returns: nil in a trial, without a signer, and while a locked signer cannot say it.
  init?(of home: Home) {
    guard let result = try? askDaemonWhole(CustodyOverview.call(Nothing()), home, timeout: 5000),
      let step = try? CustodyOverview.answer(result).steps.first(where: { $0.name == .backupFresh })
    else { return nil }
    self.init(step)
  }

  init(_ step: CustodyStep) { self.step = step }

  /// Whether there is nothing to do about it.
  var isGood: Bool { step.isDone }

  /// The judgement, and what to do about it.
  var text: String { ours(step.text) + (step.isDone ? "" : " \(remedy)") }

  private var remedy: String {
    switch step.remedy {
    case .checkBackup: "To check it: holdfast backup verify FILE"
    case .moveBackup: "To keep one elsewhere: holdfast backup schedule --to PLACE"
    default: "To make one: holdfast backup create FILE"
    }
  }
}
