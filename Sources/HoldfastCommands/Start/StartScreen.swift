import CommandLine
import Daemon
import Encodings
import Platform
import ResponseTexts
import TerminalUI

/// What `holdfast up` shows on a terminal once the signer serves: where things are, and the next steps. The link comes last, so that it
/// is in sight on a small terminal.
struct StartScreen {
  private let ready: Ready
  private let line: Invocation
  /// The command as the person typed it: its path if it was started by one.
  private let program: String
  /// The vault's folder from the root: other terminals may be in another folder.
  private let home: String
  /// Adds `--home` to commands in remarks.
  private let named: SuggestedCommands
  /// Whether other terminals must be told of the home.
  private let isElsewhere: Bool

  init(_ ready: Ready, _ line: Invocation) {
    (self.ready, self.line) = (ready, line)
    program = printable(CommandLine.arguments.first.flatMap { $0.contains("/") ? $0 : nil } ?? "holdfast", limit: 200)
    isElsewhere = ready.isTrial || line.has("home")
    home = absolute(ready.home)
    named = SuggestedCommands(home: isElsewhere ? home : nil)
  }

  func show() {
    Output.line([title, places, nextSteps + "\nCtrl-C stops the signer."].joined(separator: "\n\n"))
    for remark in ready.remarks { Output.warning("Note: " + named.text(printable(remark, limit: 600))) }
    guard !ready.isShut, ready.nextStart == nil, let bunker = ready.bunker else { return }
    Output.line("")
    QRCodeOutput.show(bunker, isThisMachineOnly: ready.isThisMachineOnly, line)
    Output.line(bunker)
  }

  /// For `--quiet`: the link for an app, if there is one to show.
  static func showLinkAlone(_ ready: Ready) {
    if !ready.isShut, ready.nextStart == nil, let bunker = ready.bunker { Output.line(bunker) }
  }

  private var title: String {
    if ready.isShut { return "Holdfast is running, but locked down: no app is served." }
    if ready.nextStart != nil { return "\nThe trial is kept: Holdfast now runs on a vault of your own." }
    return "Holdfast is running\(ready.isTrial ? " on trial: everything is wiped when it ends" : "")."
  }

  private var places: String {
    """
    Identity  \(printable(ready.identity))\(ready.madeIdentity ? " (new)" : "")
              \(ready.npub)
    Relay     \(printable(ready.relay))
    Vault     \(printable(home))
    Console   \(signIn)
    """
  }

  private var signIn: String {
    ready.signIn.map { "this link signs you in once, for ten minutes:\n\(printable($0, limit: 400))" } ?? "\(program) console"
  }

  private var nextSteps: String {
    if ready.isShut { return nextWhenShut }
    if let start = ready.nextStart { return "Next time, start it with: \(printable(start, limit: 4096))" }
    if ready.isInJournal { return nextInJournal }
    return ready.bunker == nil ? nextWhenUnsure : nextWithLink
  }

  private var nextWithLink: String {
    """
    Next: give the link below to one app, where it asks for a bunker link. It works once; the app gets \(ready.trust) trust.\(age)\(age.isEmpty || reach.isEmpty ? "" : "\n")\(age.isEmpty ? reach : String(reach.drop { $0 == " " }))
    \(otherTerminal)
      \(program) pair            another link
      \(program) client list     which apps are paired
      \(program) request list    what they are waiting for\(ready.isTrial ? "\n  \(program) keep            keep all of this in a vault of your own" : "")
    """
  }

  /// Where the link works, and what to do for a phone.
  private var reach: String {
    guard ready.isThisMachineOnly else { return "" }
    guard ready.isTrial else { return " " + PairNewCommand.thisMachineOnly }
    return " It works for apps on this machine only. For a phone, stop this trial, then: holdfast up --trial --relay wss://…"
  }

  /// Said of a link from before this start, which may have been given away already.
  private var age: String {
    guard let made = ready.linkMade else { return "" }
    let when = ago(made, now: Clock.seconds)
    return
      " It was made \(when == "now" ? "a moment ago" : when) and has not been used. For another app: holdfast pair"
  }

  private var nextInJournal: String {
    """
    No link for an app is shown here, because others can read the journal. \(otherTerminal)
      \(program) pair            a link for an app
      \(program) console         a link that signs you in
    """
  }

  private var nextWhenUnsure: String {
    """
    Next: unlock the signer. It did not end properly last time. Until you unlock it, no app is served or paired. \(otherTerminal)
      \(program) unlock
    """
  }

  private var nextWhenShut: String {
    """
    Next. \(otherTerminal)
      \(program) unlock          to see what happened (the signer stays locked down)
      \(program) log show        what happened
      \(program) client list     which apps are paired, and which are paused
      \(program) resume          end the lockdown and serve apps again
    """
  }

  /// A home that commands do not find by themselves is named once, and not in each line.
  private var otherTerminal: String {
    guard isElsewhere else { return "In another terminal:" }
    return "In another terminal, first:\n  export HOLDFAST_HOME=\(printable(ShellWord.plainOrQuoted(home), limit: 4096))"
  }
}
