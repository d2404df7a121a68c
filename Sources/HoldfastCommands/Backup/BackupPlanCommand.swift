import CommandLine
import OwnerAPI
import ResponseTexts

/// `holdfast backup plan`
enum BackupPlanCommand: BackupCommand {
  typealias Operation = BackupPlanShow

  static let place = Command("plan", "Show the schedule of backups and how the last one went")

  static func text(_ answer: BackupPlanAnswer, _ reader: Reader) -> String {
    BackupText.plan(answer.plan, warning: answer.warning, reader.now)
  }
}
