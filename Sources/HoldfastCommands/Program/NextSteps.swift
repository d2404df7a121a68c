import CommandLine
import Encodings
import LocalAccess
import OwnerAPI
import Signer
import TerminalUI

/// What a person does next, as one sentence that fits what there is.
enum NextSteps {
  /// What a running signer says of itself; nil without one.
  private struct Facts {
    var isTrial = false
    var hasKit = false

    init?(of home: Home) {
      // What cannot be found out is left as if it were not there: the sentence is advice, and the command has done its work.
      guard let status = try? askDaemonWhole(StatusShow.call(Nothing()), home, timeout: 2000),
        let answer = try? StatusShow.answer(status)
      else { return nil }
      isTrial = answer.isTrial
      let kits = try? askDaemonWhole(RecoveryList.call(Nothing()), home, timeout: 2000)
      hasKit = kits.flatMap { try? RecoveryList.answer($0) }?.kits.contains { $0.npub == nil } == true
    }
  }

  /// After an identity was made or imported.
  static func afterIdentity(_ identity: IdentitySummary, _ line: Invocation) -> String {
    let facts = Facts(of: home(line))
    return text(
      runs: facts != nil, isTrial: facts?.isTrial == true, hasKit: facts?.hasKit == true,
      identity: identity.isDefault ? nil : identity.name, words: identity.origin == .created ? identity.name : nil)
  }

  /// Whether a signer runs on the home of a command line.
  static func signerRuns(_ line: Invocation) -> Bool { ControlClient.isDaemonRunning(home: home(line).path) }

  /// The sentence for these facts.
  /// - Parameters:
  ///   - identity: the one that the link must name; nil for the default one.
  ///   - words: the one whose new words can be written down; nil for none.
  static func text(runs: Bool, isTrial: Bool, hasKit: Bool, identity: String? = nil, words: String? = nil) -> String {
    func typed(_ name: String) -> String { printable(ShellWord.plainOrQuoted(name)) }
    let pair = "holdfast pair" + (identity.map { " --identity \(typed($0))" } ?? "")
    // Nobody can open the kit of a trial.
    if isTrial { return "Next: give an app a link (\(pair)). To keep the key after the trial: holdfast keep" }
    let start =
      runs ? "Next: give an app a link: \(pair)" : "Next: start the signer (holdfast up), then give an app a link: \(pair)"
    return start
      + (words.map { "\nTo write down its words: holdfast identity export \(typed($0)) --format mnemonic --unencrypted" } ?? "")
      + (hasKit
        ? ""
        : """

        Against a forgotten passphrase, make a kit on paper: holdfast recovery create
        Against the loss of this machine, make a backup elsewhere: holdfast backup create FILE
        """)
  }
}
