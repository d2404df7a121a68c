import OwnerAPI
import OwnerOperations
import ResponseTexts
import Signer
import TerminalUI

/// What one safeguard of the keys is worth, such as the backups, in the words of the console's checklist.
struct CustodyJudgement {
  private let step: CustodyStep

  /// The judgements of the backups and of the kits, the more urgent first.
  /// - Returns: none in a trial, without a signer, and while a locked signer cannot say it.
  static func all(of home: Home) -> [CustodyJudgement] {
    guard let result = try? askDaemonWhole(CustodyOverview.call(Nothing()), home, timeout: 5000),
      let steps = try? CustodyOverview.answer(result).steps
    else { return [] }
    return [.backupFresh, .kitTested].compactMap { name in steps.first { $0.name == name } }.map(Self.init)
  }

  init(_ step: CustodyStep) { self.step = step }

  var name: CustodyStep.Name { step.name }

  /// Whether there is nothing to do about it.
  var isGood: Bool { step.isDone }

  /// The judgement, and what to do about it.
  var text: String { ours(step.text) + (step.isDone ? "" : " \(remedy)") }

  private var remedy: String {
    switch step.remedy {
    case .makeKit: "To make one: holdfast recovery create"
    case .testKit: "To test it: holdfast recovery test"
    case .checkBackup: "To check it: holdfast backup verify FILE"
    case .moveBackup: "To keep one elsewhere: holdfast backup schedule --to PLACE"
    default: "To make one: holdfast backup create FILE"
    }
  }
}
