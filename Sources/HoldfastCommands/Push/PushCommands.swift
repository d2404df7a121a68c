import CommandLine
import OwnerAPI
import ResponseTexts
import TerminalUI

/// `holdfast push list`
enum PushListCommand: OwnerCommand {
  typealias Operation = PushList

  static let place = Command("list", "List the notified browsers, and how the last message went")

  static func text(_ answer: PushList.Response, _ reader: Reader) -> String {
    if answer.subscriptions.isEmpty {
      return "No browser is notified by Web Push. To add one, open its Security page in the console: holdfast console"
    }
    var table = TextTable(["ID", "NAME", "PUSH SERVICE", "SINCE", "LAST MESSAGE", "TROUBLE"], whole: [0])
    for entry in answer.subscriptions {
      table.add([
        entry.id, entry.label, entry.host, date(entry.made), ago(entry.lastOK ?? 0, now: reader.now), entry.lastError ?? "",
      ])
    }
    return table.text(for: reader)
  }
}

/// `holdfast push test`
enum PushTestCommand: OwnerCommand {
  typealias Operation = PushTest

  static let place = Command("test", "Send a test notification", arguments: [whichSubscription])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> PushSubscriberRequest {
    PushSubscriberRequest(line.needed("id"))
  }

  static func text(_ answer: PushTest.Response, _ reader: Reader) -> String { "Sent. To see how it went: holdfast push list" }
}

/// `holdfast push remove`
enum PushRemoveCommand: OwnerCommand {
  typealias Operation = PushRemove

  static let place = Command("remove", "Stop notifying a browser", arguments: [whichSubscription])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> PushSubscriberRequest {
    PushSubscriberRequest(line.needed("id"))
  }

  static func text(_ answer: PushRemove.Response, _ reader: Reader) -> String { "That browser is no longer notified." }
}

extension Noun {
  static let push = Noun(
    "push", "Browsers and phones that are notified, and the push proxy that wakes this device",
    discussion: """
      'push list', 'test' and 'remove' are about browsers and phones that tell you what waits. To add a browser, open the console in it and use its Security page. A notification says only that something waits. To \
      see what, sign in to the console.

      'push register', 'unregister' and 'status' are about a push proxy (holdfast-push), which wakes this device when an app asks.
      """,
    commands: [
      PushListCommand.self, PushTestCommand.self, PushRemoveCommand.self, PushRegisterCommand.self,
      PushUnregisterCommand.self, PushStatusCommand.self,
    ])
}

private let whichSubscription = Argument("id", "The browser's id, as 'holdfast push list' shows it")
