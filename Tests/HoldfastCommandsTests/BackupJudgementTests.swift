import OwnerAPI
import Testing

@testable import HoldfastCommands

@Suite struct BackupJudgementTests {
  @Test("The judgement of the backups names what to do") func theBackupIsJudged() {
    var step = CustodyStep()
    (step.name, step.text, step.remedy) = (.backupFresh, "No backup was made in the last 30 days.", .makeBackup)
    #expect(BackupJudgement(step).text == "No backup was made in the last 30 days. To make one: holdfast backup create FILE")
    step.isDone = true
    #expect(BackupJudgement(step).isGood && BackupJudgement(step).text == step.text)
  }
}
