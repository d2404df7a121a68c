import CommandLine
import OwnerAPI
import ResponseTexts

/// `holdfast guardian requests`
enum GuardianRequestsCommand: OwnerCommand {
  typealias Operation = GuardianRequests

  static let place = Command("requests", "List requests for shares that you keep, and for your own")

  static func text(_ answer: GuardianRequests.Response, _ reader: Reader) -> String { GuardianText.requests(answer.requests) }
}

/// `holdfast guardian release`
enum GuardianReleaseCommand: OwnerCommand {
  typealias Operation = GuardianRelease

  static let place = Command(
    "release", "Agree to give a share back when its waiting time is over",
    discussion: """
      Call the owner first and compare the six digits of the request. The command asks for your proof: the passphrase, a token \
      or shares of the recovery kit. The waiting time counts only while your machine runs; changing its clock does not shorten \
      it.
      """, arguments: [GuardianArguments.shareRequest])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> GuardianRelease.Request {
    var request = GuardianRelease.Request()
    request.request = ShareRequestChoice(line.needed("id"))
    return request
  }

  static func complete(_ request: inout GuardianRelease.Request, _ line: Invocation) throws(CommandError) {
    request.credential = try credential(line)
  }

  static func text(_ answer: ShareRequestAnswer, _ reader: Reader) -> String { answered(answer) }
}

/// `holdfast guardian refuse`
enum GuardianRefuseCommand: OwnerCommand {
  typealias Operation = GuardianRefuse

  static let place = Command("refuse", "Refuse a request for a share that you keep", arguments: [GuardianArguments.shareRequest])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> ShareRequestChoice {
    ShareRequestChoice(line.needed("id"))
  }

  static func text(_ answer: ShareRequestAnswer, _ reader: Reader) -> String { answered(answer) }
}

/// `holdfast guardian cancel`
enum GuardianCancelCommand: OwnerCommand {
  typealias Operation = GuardianCancel

  static let place = Command(
    "cancel", "Stop a request for your own share that you did not make", arguments: [GuardianArguments.shareRequest])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> ShareRequestChoice {
    ShareRequestChoice(line.needed("id"))
  }

  static func text(_ answer: ShareRequestAnswer, _ reader: Reader) -> String { answered(answer) }
}

private func answered(_ answer: ShareRequestAnswer) -> String { answer.request.map(GuardianText.request) ?? "" }
