import CommandLine
import TerminalUI

extension Command {
  private static let whichSubscription = Argument("id", "Its id, as 'holdfast push list' shows it")

  static let push = Command(
    "push", "Browsers and phones that are told by Web Push: list, test, remove",
    discussion: """
      A browser begins to be told on the console's page, under Security. A message says only that something waits: who sees it \
      signs in to learn what.
      """,
    verbs: [
      Command("list", "List who is told, and how the last message went"),
      Command("test", "Send one message to see whether it arrives", arguments: [whichSubscription]),
      Command("remove", "Tell one no more", arguments: [whichSubscription]),
    ])
}
