import CommandLine
import TerminalUI

extension Command {
  /// `holdfast session …`
  static let session = Command(
    "session", "When the session locks by itself: show, set",
    discussion: """
      While the session is locked, keys of the class when-unlocked are wiped, and what needs one waits. Identities of the class \
      after-first-unlock go on signing. As it comes, the session locks before the machine sleeps, and not for inactivity: a signer \
      that stops after five minutes would ask for its passphrase all day.
      """,
    verbs: ownSessionVerbs)

  /// In a list, as the tree adds what a module brings.
  static let sessionVerbs: [Command] = [session]

  private static let ownSessionVerbs: [Command] = [
    Command(
      "show", "Show when the session locks by itself", examples: [Example("holdfast session show", "When does it lock?")]),
    Command(
      "set", "Change when the session locks by itself",
      options: [
        .value("lock-after", "TIME", "After so long without a command of yours: 5m, 2h … or never; what apps ask does not count"),
        .value("lock-on-suspend", "ON", "Before the machine sleeps", completion: .words(["on", "off"])),
        .value("lock-on-desktop-lock", "ON", "When the desktop is locked", completion: .words(["on", "off"])),
      ],
      examples: [
        Example(
          "holdfast session set --lock-after 15m --lock-on-desktop-lock on",
          "Lock after a quarter of an hour, and with the screen"),
        Example("holdfast session set --lock-after never", "Keep it open as long as the machine is awake"),
      ]),
  ]
}
