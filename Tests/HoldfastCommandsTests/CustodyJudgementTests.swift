import OwnerAPI
import Testing

@testable import HoldfastCommands

@Suite struct CustodyJudgementTests {
  @Test(
    "The judgement of a safeguard names what to do",
    arguments: [
      (CustodyStep.Name.backupFresh, Remedy.makeBackup, "To make one: holdfast backup create FILE"),
      (.backupFresh, .checkBackup, "To check it: holdfast backup verify FILE"),
      (.kitTested, .makeKit, "To make one: holdfast recovery create"),
      (.kitTested, .testKit, "To test it: holdfast recovery test"),
    ]) func aSafeguardIsJudged(name: CustodyStep.Name, remedy: Remedy, told: String)
  {
    var step = CustodyStep()
    (step.name, step.text, step.remedy) = (name, "It is so.", remedy)
    #expect(CustodyJudgement(step).text == "It is so. \(told)" && !CustodyJudgement(step).isGood)
    step.isDone = true
    #expect(CustodyJudgement(step).isGood && CustodyJudgement(step).text == step.text)
  }
}
