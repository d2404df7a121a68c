import CommandLine
import OwnerAPI
import ResponseTexts
import TerminalUI

/// `holdfast pair --list`
enum PairListCommand: OwnerCommand {
  typealias Operation = PairList

  static let place = PairCommand.place

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> Nothing {
    try PairCommand.check(line)
    return Nothing()
  }

  static func text(_ answer: PairList.Response, _ reader: Reader) -> String {
    guard !answer.links.isEmpty else { return "No link waits for an app." }
    var table = TextTable(["LINK", "FOR", "IDENTITY", "TRUST", "MADE", "USABLE UNTIL"], spare: [4])
    for link in answer.links {
      let digits = String(link.pubkey.prefix(8))
      table.add([digits, link.name ?? "", link.identity, shown(link.trust), date(link.made), date(link.expires)])
    }
    return table.text(for: reader) + "\n\nTo cancel one: holdfast pair --cancel LINK"
  }
}

/// `holdfast pair --cancel`
enum PairCancelCommand: OwnerCommand {
  typealias Operation = PairCancel

  static let place = PairCommand.place

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> PairCancel.Request {
    try PairCommand.check(line)
    var request = PairCancel.Request()
    request.link = line.value("cancel") ?? ""
    return request
  }

  static func text(_ answer: UnusedLink, _ reader: Reader) -> String {
    "The link \(shown(answer.pubkey, limit: 8)) is cancelled. No app can pair with it."
  }
}
