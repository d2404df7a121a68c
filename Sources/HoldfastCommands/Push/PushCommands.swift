import CommandLine
import OwnerAPI
import TerminalUI

/// `holdfast push list`
enum PushListCommand: OwnerCommand {
  typealias Operation = PushList

  static let place = Command("list", "List who is told, and how the last message went")

  static func text(_ answer: PushList.Response, _ reader: Reader) -> String {
    if answer.subscriptions.isEmpty {
      return "No browser is told by Web Push. Begin on the console's page: holdfast console"
    }
    var table = TextTable(["ID", "NAME", "PUSH SERVICE", "SINCE", "LAST MESSAGE", "TROUBLE"], whole: [0])
    for entry in answer.subscriptions {
      table.add([
        entry.id, entry.label, entry.host, date(entry.made), ago(entry.lastOK ?? 0, now: reader.now), entry.lastError ?? "",
      ])
    }
    return table.text
  }
}

/// `holdfast push test`
enum PushTestCommand: OwnerCommand {
  typealias Operation = PushTest

  static let place = Command("test", "Send one message to see whether it arrives", arguments: [whichSubscription])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> PushSubscriberRequest {
    PushSubscriberRequest(line.needed("id"))
  }

  static func text(_ answer: PushTest.Response, _ reader: Reader) -> String { "Sent. See how it went: holdfast push list" }
}

/// `holdfast push remove`
enum PushRemoveCommand: OwnerCommand {
  typealias Operation = PushRemove

  static let place = Command("remove", "Tell one no more", arguments: [whichSubscription])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> PushSubscriberRequest {
    PushSubscriberRequest(line.needed("id"))
  }

  static func text(_ answer: PushRemove.Response, _ reader: Reader) -> String { "It is told no more." }
}

extension Noun {
  static let push = Noun(
    "push", "Browsers and phones that are told by Web Push: list, test, remove",
    discussion: """
      To add a browser, open the console in it and use its Security page. A notification says only that something waits. To \
      see what, sign in to the console.
      """,
    commands: [PushListCommand.self, PushTestCommand.self, PushRemoveCommand.self])
}

private let whichSubscription = Argument("id", "Its id, as 'holdfast push list' shows it")
