import CommandLine
import OwnerAPI
import ResponseTexts

/// `holdfast backup run`
enum BackupRunCommand: BackupCommand {
  typealias Operation = BackupRun

  static let place = Command("run", "Make the scheduled backup now")

  static func text(_ answer: BackupPlanAnswer, _ reader: Reader) -> String {
    BackupText.plan(answer.plan, warning: answer.warning, reader.now)
  }
}
