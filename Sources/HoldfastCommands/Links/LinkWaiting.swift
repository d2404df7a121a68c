import CommandLine
import OwnerAPI
import ResponseTexts
import Signer
import TerminalUI

/// Says at a terminal what a link waits for, and how the owner answers.
struct LinkWaiting: Sendable {
  let home: Home
  /// Where the link's answer goes.
  let place: String

  /// What says so when no answer comes at once; nil if nobody would read it.
  func teller(_ line: Invocation) -> (@Sendable () -> Void)? {
    guard Terminal.isError, !line.has("json") else { return nil }
    return { [self] in
      if let text { Output.warning(text) }
    }
  }

  /// Nil if the signer says of no request that it waits.
  private var text: String? {
    guard let result = try? askDaemonWhole(RequestList.call(.init()), home),
      let waiting = try? RequestList.answer(result).requests
    else { return nil }
    let isStandard = home.path == HoldfastCommands.home(named: nil).path
    return Self.text(waiting, of: place).map { SuggestedCommands(home: isStandard ? nil : home.path).text($0) }
  }

  /// The same for these requests. Of several that links with answers to a place wait for, the newest is meant.
  static func text(_ waiting: [WaitingRequest], of place: String) -> String? {
    let meant = waiting.filter { $0.client.place == "links with answers to \(place)" }
    guard let request = meant.max(by: { $0.received < $1.received }) else { return nil }
    let id = shown(request.id)
    return "It waits for you: \(foreign(request.title)). To answer, in another terminal: "
      + "holdfast request approve \(id), or: holdfast request deny \(id)"
  }
}
