import Testing

@testable import CommandLine
@testable import HoldfastCommands

/// The help and the manual against the options that the parser takes, and the examples against the parser.
@Suite struct HelpOptionsTests {
  private static let commands = places(.holdfast)

  private static func places(_ command: Command, _ path: [String] = []) -> [(path: [String], command: Command)] {
    command.verbs.isEmpty ? [(path, command)] : command.verbs.flatMap { places($0, path + [$0.name]) }
  }

  /// The options that a line has, in order.
  private static func options(in line: some StringProtocol) -> [String] {
    let words: [Substring] = String(line).split { !$0.isLetter && !$0.isNumber && $0 != "-" }
    return words.map(String.init).filter { $0.hasPrefix("--") && $0.count > 2 }
  }

  /// The options that a help lists: each stands at the beginning of its line.
  private static func listed(_ help: String) -> Set<String> {
    Set(help.split(separator: "\n").filter { $0.hasPrefix("  -") }.compactMap { options(in: $0).first })
  }

  @Test("Each option that a command takes is listed in its help, or in a topic that its help names") func everyOptionIsListed()
    throws
  {
    for (path, command) in Self.commands {
      let help = try #require(HelpText.text(for: path, in: .holdfast))
      let topics = Command.holdfast.topics.filter { help.contains("\($0.summary): holdfast help \($0.name)") }
      let listed = try topics.reduce(into: Self.listed(help)) { all, topic in
        all.formUnion(Self.listed(try #require(HelpText.text(forTopic: topic.name, in: .holdfast))))
      }
      #expect(listed.isSuperset(of: command.allOptions.map { "--" + $0.name }), "\(path)")
    }
  }

  @Test("Each option in a command's examples is taken by the parser, and listed in the help itself and in the manual")
  func everyUsedOptionIsListed() throws {
    let manual = ManualPage.text(for: .holdfast, version: "1", sections: []).replacing("\\-", with: "-").components("\n.SS ")
    for (path, command) in Self.commands {
      let help = try #require(HelpText.text(for: path, in: .holdfast))
      let entry = manual.first { $0.hasPrefix("\\fBholdfast \(path.joined(separator: " "))\\fR") } ?? ""
      for example in command.examples where example.line.hasPrefix((["holdfast"] + path).joined(separator: " ")) {
        for option in Self.options(in: example.line) {
          #expect(command.allOptions.contains { "--" + $0.name == option }, "\(path) \(option)")
          #expect(Self.listed(help).contains(option), "\(path) \(option)")
          let isCommon = ["--home", "--json", "--help"].contains(option)
          #expect(isCommon || entry.contains("\n\\fB\(option)\\fR") || entry.contains(", \\fB\(option)\\fR"), "\(path) \(option)")
        }
      }
    }
  }

  @Test("The help of a restore lists the shares that open a backup") func aRestoreTakesShares() throws {
    let help = try #require(HelpText.text(for: ["backup", "restore"], in: .holdfast))
    #expect(help.contains("\n  --shares-file FILE"))
    #expect(HelpText.text(for: ["client", "list"], in: .holdfast)?.contains("--shares-file") == false, "its topic explains it")
  }

  @Test(
    "A wrong word or value is answered with an example that has the right form",
    arguments: [
      (
        UsageError.argumentNotAllowed(name: "count", allowed: ["a number", "none"]), ["client", "budget"],
        "bot sign_event:1 10 --per 1d"
      ),
      (.valueNotAllowed(option: "per", allowed: ["1h", "1d", "1w"]), ["client", "budget"], "bot sign_event:1 10 --per 1d"),
      (.argumentUnexpected(position: 4, command: ["client", "budget"]), ["client", "budget"], "bot sign_event:1 10 --per 1d"),
      (.valueMalformed(option: "per-hour", form: "a number or none"), ["client", "limit"], "bot --per-hour 60"),
    ])
  func errorsShowTheRightForm(fault: UsageError, command: [String], example: String) {
    #expect(CommandError(fault, command).hint == "For example: holdfast \(command.joined(separator: " ")) \(example)")
    let other = CommandError(.valueMalformed(option: "per-minute", form: "a number or none"), ["client", "limit"])
    #expect(other.hint == "Try 'holdfast client limit --help'.", "no example has that option")
  }

  @Test("Each example is a command line that the parser takes") func everyExampleIsTaken() throws {
    for (path, command) in Self.commands {
      for example in command.examples where example.line.hasPrefix("holdfast ") {
        let words = Self.words(example.line)
        #expect(throws: Never.self, "\(path): \(example.line)") { try ArgumentParser.holdfast.parse(Array(words.dropFirst())) }
      }
    }
  }

  /// The words of a shell line, up to a pipe or a redirection.
  private static func words(_ line: String) -> [String] {
    var (words, word, quote): ([String], String?, Character?) = ([], nil, nil)
    for character in line {
      switch (character, quote) {
      case (let mark, let open?) where mark == open: quote = nil
      case ("'", nil), ("\"", nil): (quote, word) = (character, word ?? "")
      case (" ", nil):
        if let done = word { words.append(done) }
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    return (words + [word].compactMap { $0 }).prefix { !["|", ">", "<", "&&", "&"].contains($0) }.map { $0 }
  }
}

extension String {
  fileprivate func components(_ separator: String) -> [Substring] { split(separator: separator) }
}
