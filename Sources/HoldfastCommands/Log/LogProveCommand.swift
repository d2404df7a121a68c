import CommandLine
import OwnerAPI
import TerminalUI

/// `holdfast log prove`
enum LogProveCommand: OwnerCommand {
  typealias Operation = LogProve

  static let place = Command(
    "prove", "Prove that an entry is in the log, or that the log only grew",
    discussion: """
      With SEQUENCE: prints the sealed entry, the hashes from it to the root of the tree, and the signed root. With --from \
      SIZE: prints the proof that the log still begins with its first SIZE entries. 'holdfast log key' shows the key that \
      checks the signature.
      """,
    arguments: [Argument("sequence", "The number of the entry", required: false)],
    options: [.value("from", "SIZE", "An earlier number of entries, whose root you have")],
    examples: [Example("holdfast log prove 7 --json", "a proof for another program to check")])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> LogProve.Request {
    var request = LogProve.Request()
    request.from = try line.integer("from", in: 1...Int64.max)
    guard let text = line.argument("sequence") else {
      guard request.from != nil else {
        throw .refused(sentence: "'log prove' needs the number of an entry, or --from SIZE.", hint: "See: holdfast log show")
      }
      return request
    }
    guard let number = TimeSpan.digits(text.utf8) else {
      throw .refused(sentence: "The number of an entry is a whole number, such as 7.", hint: "See: holdfast log show")
    }
    request.sequence = number
    return request
  }

  static func text(_ answer: LogProve.Response, _ reader: Reader) -> String {
    if let growth = answer.growth {
      let first = "The log begins with the \(growth.oldSize) entries whose root is \(shown(growth.oldRoot))."
      return text(first, growth.proof, growth.checkpoint)
    }
    guard let entry = answer.entry else { return "" }
    return text(
      "Entry \(entry.index + 1) is one of \(entry.size); its leaf is \(shown(entry.leafHash)).", entry.proof, entry.checkpoint)
  }

  private static func text(_ first: String, _ path: [String], _ checkpoint: String) -> String {
    ([first, "Hashes that lead to the root (--json for a program to check):"] + path.map { "  " + shown($0) } + ["", checkpoint])
      .joined(separator: "\n")
  }
}
