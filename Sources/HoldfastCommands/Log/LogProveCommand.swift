import CommandLine
import Encodings
import JSON
import OwnerAPI
import ResponseTexts
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

      What is printed is for people. For 'holdfast proof verify', write the proof to a file with --out FILE, or give --json.
      """,
    arguments: [Argument("sequence", "The number of the entry", required: false)],
    options: [
      .value("from", "SIZE", "An earlier number of entries, whose root you have"),
      .value("out", "FILE", "Write the proof to a new file, for 'holdfast proof verify'", completion: .file),
    ],
    examples: [
      Example("holdfast log prove 7 --out entry-7.json", "a proof that anybody can check: holdfast proof verify entry-7.json"),
      Example("holdfast log prove 7 --json", "the same for another program"),
    ])

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

  static func check(_ line: Invocation) throws(CommandError) { try line.value("out").map(checkNewFile) }

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    let result = try performWhole(Operation.call(try asked(line)), line)
    guard let path = line.value("out") else { return try show(result, line) }
    try writeNew(path, result.json.serialized() + [0x0A])
    guard !line.has("json") else { return try show(result, line) }
    let quoted = printable(ShellWord.plainOrQuoted(path), limit: 4096)
    return Output.line("Written to \(printable(path, limit: 300)). To check it: holdfast proof verify \(quoted)")
      ? .done : .failed
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
    ([first, "Hashes that lead to the root (for a proof that can be checked, add --out FILE):"] + path.map { "  " + shown($0) }
      + ["", checkpoint])
      .joined(separator: "\n")
  }
}
