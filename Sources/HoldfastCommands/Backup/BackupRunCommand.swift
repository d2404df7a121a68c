import CommandLine
import OwnerAPI

/// `holdfast backup run`
enum BackupRunCommand: BackupCommand {
  typealias Operation = BackupRun

  static let place = Command("run", "Do now what the plan says")

  static func text(_ answer: BackupPlanAnswer, _ reader: Reader) -> String { BackupText.plan(answer.plan, reader.now) }
}
