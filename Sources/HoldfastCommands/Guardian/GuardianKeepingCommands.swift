import CommandLine
import Encodings
import OwnerAPI
import ResponseTexts
import TerminalUI

/// `holdfast guardian accept`
enum GuardianAcceptCommand: OwnerCommand {
  typealias Operation = GuardianAccept

  static let place = Command(
    "accept", "Accept a share that waits for your consent",
    discussion: """
      While you listen, the first share of a kit is kept without a question. These wait until you accept them: a second share \
      of the same kit, because anybody with the owner's key can send one; a share of a kit that you removed; a share that came \
      before your vault was restored; and after a restore, every share that you kept. Call the owner first. The command asks \
      for your proof. To remove the share instead: holdfast guardian remove
      """,
    arguments: [Argument("id", "The share's name, as 'guardian held' shows it")])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> EntrustedShareRequest { entrusted(line) }

  static func complete(_ request: inout EntrustedShareRequest, _ line: Invocation) throws(CommandError) {
    request.credential = try credential(line)
  }

  static func text(_ answer: GuardianAccept.Response, _ reader: Reader) -> String {
    "You keep the share now. Its owner is notified."
  }
}

/// `holdfast guardian remove`
enum GuardianRemoveCommand: OwnerCommand {
  typealias Operation = GuardianRemove

  static let place = Command(
    "remove", "Forget a guardian, or wipe a share that you keep",
    discussion: """
      Asks for your proof: the passphrase, a token or shares of the recovery kit. Somebody may rely on a share that you keep. \
      After you forget a guardian, you are no longer notified when somebody asks for your share there.
      """,
    arguments: [Argument("id", "Its name, as 'guardian list' or 'guardian held' shows it")],
    options: [SharedOptions.yesFinally])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> EntrustedShareRequest { entrusted(line) }

  static let isFinal = true

  static func question(_ line: Invocation) -> String? { "Forget or wipe “\(foreign(line.needed("id"), limit: 64))” for good?" }

  static func complete(_ request: inout EntrustedShareRequest, _ line: Invocation) throws(CommandError) {
    request.credential = try credential(line)
  }

  static func text(_ answer: GuardianRemove.Response, _ reader: Reader) -> String { "Removed." }
}

private func entrusted(_ line: Invocation) -> EntrustedShareRequest {
  var request = EntrustedShareRequest()
  request.id = line.needed("id")
  return request
}

/// `holdfast guardian listen`
enum GuardianListenCommand: OwnerCommand {
  typealias Operation = GuardianListen

  static let place = Command(
    "listen", "Let others send you their shares, or not",
    discussion: """
      Applies to one identity; 'off' without --identity applies to all. Relays learn which identities listen, and no others.
      """,
    arguments: [Argument("state", "on or off", completion: .words(["on", "off"]))], options: [SharedOptions.identity])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> GuardianListen.Request {
    var request = GuardianListen.Request()
    request.state = Listening(rawValue: line.needed("state")) ?? .on
    request.identity = line.value("identity")
    return request
  }

  static func text(_ answer: GuardianListen.Response, _ reader: Reader) -> String {
    answer.isListening ? "Others can send you their shares now." : "Nobody can send you a share now."
  }
}

/// `holdfast guardian open`
enum GuardianOpenCommand: OwnerCommand {
  typealias Operation = GuardianOpen

  static let place = Command(
    "open", "Read the messages of an identity whose key asks you for each use, for a while",
    discussion: """
      The signer never uses such a key without you, so messages wait at the relays until you prove that you are there. The key \
      is closed again when the time ends and each time the signer locks. A share that is due is given during this time too.
      """,
    options: [SharedOptions.identity, .value("for", "TIME", "How long, up to 1h (10m)")],
    examples: [Example("holdfast guardian open --identity bob", "reads bob's messages for ten minutes")])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> GuardianOpen.Request {
    var request = GuardianOpen.Request()
    request.identity = line.value("identity")
    request.seconds = try line.seconds("for", as: "a time such as 10m or 1h")
    return request
  }

  static func complete(_ request: inout GuardianOpen.Request, _ line: Invocation) throws(CommandError) {
    request.credential = try credential(line)
  }

  static func text(_ answer: GuardianOpen.Response, _ reader: Reader) -> String {
    "Messages for “\(foreign(answer.identity))” are read for \(answer.seconds) seconds. See: holdfast guardian requests"
  }
}

/// `holdfast guardian held`
enum GuardianHeldCommand: OwnerCommand {
  typealias Operation = GuardianHeld

  static let place = Command("held", "List the shares that you keep for others")

  static func text(_ answer: GuardianHeld.Response, _ reader: Reader) -> String {
    let end = answer.isListening ? "" : "\nNobody can send you a share now. To allow it: holdfast guardian listen on"
    if answer.held.isEmpty { return "You keep no shares for others." + end }
    var table = TextTable(["NAME", "OWNER", "KIT", "SINCE", "WAITING TIME", "REQUESTS"])
    for share in answer.held {
      table.add([share.id, share.from, share.kit, date(share.since), TimeSpan.words(share.delay), "\(share.requests)"])
    }
    let offered = answer.held.filter(\.isOffered).map {
      "\nYou have not accepted \(shown($0.id)) yet, so nobody gets it. Call its owner, then: holdfast guardian accept "
        + "\(shown($0.id)), or: holdfast guardian remove \(shown($0.id))"
    }.joined()
    return table.text(for: reader) + offered + end
  }
}
