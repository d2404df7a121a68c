import Daemon
import Testing

@testable import HoldfastCommands

/// What is said before the end of a trial wipes it.
@Suite struct TrialLossTests {
  @Test(
    "The warning before a trial ends names the keys and counts the apps that would be deleted",
    arguments: [(0, ""), (1, "one app"), (3, "3 apps")])
  func namesWhatIsLost(apps: Int, words: String) {
    let text = lossText(TrialLoss(home: "/tmp/trial", identities: ["main", "a b"], apps: apps))
    #expect(text.contains("its end wipes the keys of “main”, “a b”" + (apps == 0 ? ". " : " and the pairing of \(words). ")))
    #expect(text.contains("holdfast --home /tmp/trial keep") && text.hasSuffix("Ctrl-C again."))
    #expect(
      lossText(TrialLoss(home: "/tmp/trial", identities: ["main"], apps: 1)).contains(
        "the key of “main” and the pairing of one app."))
  }
}
