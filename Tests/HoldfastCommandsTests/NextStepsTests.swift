import Testing

@testable import HoldfastCommands

@Suite struct NextStepsTests {
  @Test("The next steps after a new identity fit what there is")
  func afterIdentity() {
    let pair = "give an app a link: holdfast pair"
    #expect(
      NextSteps.text(runs: false, isTrial: false, hasKit: false)
        == "Next: start the signer (holdfast up), then \(pair)\n"
        + "Against a forgotten passphrase, make a kit on paper: holdfast recovery create\n"
        + "Against the loss of this machine, make a backup elsewhere: holdfast backup create FILE")
    #expect(NextSteps.text(runs: true, isTrial: false, hasKit: true) == "Next: \(pair)")
    #expect(
      NextSteps.text(runs: true, isTrial: false, hasKit: true, identity: "my work")
        == "Next: give an app a link: holdfast pair --identity 'my work'")
    #expect(NextSteps.text(runs: true, isTrial: true, hasKit: false).contains("holdfast keep"))
    #expect(
      NextSteps.text(runs: true, isTrial: false, hasKit: true, words: "my work")
        == "Next: \(pair)\nTo write down its words: holdfast identity export 'my work' --format mnemonic --unencrypted")
    #expect(
      !NextSteps.text(runs: true, isTrial: true, hasKit: false, words: "a").contains("export"), "a trial's passphrase is unknown")
  }
}
