import Testing

@testable import CommandLine
@testable import HoldfastCommands
@testable import TerminalUI

private let parser = ArgumentParser.holdfast

@Suite struct ArgumentParserTests {
  @Test("The documented forms of a command line are understood") func readsTheContractsForms() throws {
    let up = try parser.parse([
      "up", "--home", "/h", "--passphrase-file", "p", "--trial", "--identity", "a", "--relay", "ws://1", "--relay", "ws://2",
      "--no-embedded-relay", "--listen", "127.0.0.1:0", "--trust", "full", "--json",
    ])
    #expect(up.path == ["up"])
    #expect(up.value("home") == "/h")
    #expect(up.value("passphrase-file") == "p")
    #expect(up.values("relay") == ["ws://1", "ws://2"])
    #expect(up.has("trial") && up.has("no-embedded-relay") && up.has("json"))
    #expect(up.value("listen") == "127.0.0.1:0")
    #expect(up.value("trust") == "full")

    let accept = try parser.parse(["pair", "nostrconnect://ab?relay=x", "--identity", "a", "--trust", "low"])
    #expect(accept.argument("uri") == "nostrconnect://ab?relay=x")
    #expect(try parser.parse(["pair", "--json"]).argument("uri") == nil)
    #expect(try parser.parse(["identity", "rename", "a", "b", "--json"]).arguments == ["name": "a", "to": "b"])
    #expect(try parser.parse(["client", "trust", "npub", "low"]).name == "client trust")
  }

  @Test(
    "Shared options may stand before or after the command",
    arguments: [
      ["--json", "status"], ["status", "--json"], ["--home=/h", "--json", "status"], ["status", "--json", "--home", "/h"],
    ])
  func takesSharedOptionsBeforeAndAfterTheCommand(words: [String]) throws {
    let found = try parser.parse(words)
    #expect(found.path == ["status"])
    #expect(found.has("json"))
  }

  @Test("Words after two dashes are arguments, not options") func takesEverythingAfterTwoDashesAsArguments() throws {
    #expect(try parser.parse(["identity", "create", "--", "--json"]).argument("name") == "--json")
    #expect(try parser.parse(["pair", "-"]).argument("uri") == "-")
    #expect(try parser.parse(["identity", "import", "a", "--from-fd=3"]).value("from-fd") == "3")
  }

  @Test("Options that many commands have in common have a letter, which the help shows") func takesLetters() throws {
    #expect(try parser.parse(["client", "revoke", "a", "-y"]).has("yes"))
    #expect(try parser.parse(["log", "export", "-n", "5", "-o", "f"]).options == ["limit": ["5"], "out": ["f"]])
    #expect(HelpText.text(for: ["log", "export"], in: .holdfast)?.contains("-o, --out FILE") == true)
    func options(_ command: Command) -> [CommandOption] { command.allOptions + command.verbs.flatMap(options) }
    let used = Set(options(.holdfast).filter { $0.letter != nil }.map(\.name))
    #expect(used == Set(ShortOptions.letters.keys), "each letter of the table is used")
  }

  @Test("An alias selects its command, which the help names") func takesAnAlias() throws {
    #expect(try parser.parse(["client", "pause", "a"]).path == ["client", "suspend"])
    #expect(HelpText.text(for: ["client", "suspend"], in: .holdfast)?.contains("Also: holdfast client pause") == true)
  }

  static let faults: [([String], UsageError)] = [
    ([], .noCommand),
    (["--json"], .noCommand),
    (["stauts"], .unknownCommand(after: [], nearest: ["status"])),
    (["clinet", "list"], .unknownCommand(after: [], nearest: ["client list"])),
    (["clinet", "xyzzy"], .unknownCommand(after: [], nearest: ["client"])),
    (["export"], .unknownCommand(after: [], nearest: ["identity export", "log export"])),
    (["list"], .unknownCommand(after: [], nearest: [])),
    (["identity"], .noVerb(after: ["identity"])),
    (["identity", "lst"], .unknownCommand(after: ["identity"], nearest: ["list"])),
    (["identity", "xyzzy"], .unknownCommand(after: ["identity"], nearest: [])),
    (["status", "--jsno"], .unknownOption(name: "--jsno", nearest: "json")),
    (["status", "--frobnicate"], .unknownOption(name: "--frobnicate", nearest: nil)),
    (["status", "-x"], .unknownOption(name: "-x", nearest: nil)),
    (["status", "--trial"], .optionNotHere(name: "--trial", command: ["status"])),
    (["up", "--home"], .valueMissing(option: "home")),
    (["up", "--home", "--json"], .valueMissing(option: "home")),
    (["up", "--home="], .valueEmpty(option: "home")),
    (["up", "--trial=yes"], .valueNotTaken(option: "trial")),
    (["up", "--trust", "some"], .valueNotAllowed(option: "trust", allowed: ["full", "medium", "low"])),
    (["up", "--home", "a", "--home", "b"], .givenTwice(option: "home")),
    (["identity", "create"], .argumentMissing(name: "name", command: ["identity", "create"])),
    (["identity", "create", "a", "b"], .argumentUnexpected(position: 2, command: ["identity", "create"])),
    (["client", "trust", "a", "FULL"], .argumentNotAllowed(name: "trust", allowed: ["full", "medium", "low"])),
    (["completions", "tcsh"], .argumentNotAllowed(name: "shell", allowed: ["bash", "zsh", "fish"])),
  ]

  @Test("A wrong command line gets an error that names the fault", arguments: faults)
  func namesTheFault(words: [String], fault: UsageError) {
    #expect(throws: fault) { try parser.parse(words) }
    #expect(!fault.sentence.isEmpty && !fault.hint(for: programName).isEmpty)
    #expect(!fault.sentence.contains("\n"))
  }

  static let nsec = "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5"

  @Test(
    "A secret key on the command line is refused wherever it stands",
    arguments: [
      ["identity", "import", "alice", nsec], ["identity", "import", nsec], ["identity", "import", "a", "--from-file=\(nsec)"],
      ["--home", nsec, "status"], ["identity", "import", "a", "--", nsec.uppercased()], ["x=\(nsec)"],
      ["identity", "import", String(nsec.dropLast(20))], ["--help", nsec],
    ])
  func refusesASecretKeyAnywhereOnTheCommandLine(words: [String]) {
    #expect(throws: UsageError.secretKeyInArguments) { try parser.parse(words) }
  }

  @Test(
    "Words that only resemble a secret key are accepted",
    arguments: ["nsec1", "nsec1-backup.txt-of-last-year", "my-nsec1.key", "npub1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af"])
  func takesWordsThatOnlyMentionSuchAKey(word: String) throws {
    #expect(try parser.parse(["identity", "import", "a", "--from-file", word]).value("from-file") == word)
  }

  @Test("An error never repeats an argument in a wrong place, which may be a secret") func neverRepeatsWhatStandsInAWrongPlace() {
    let secret = "correct horse battery"
    for words in [
      ["status", "--passphrase=\(secret)"], ["status", "-\(secret)"], ["identity", "create", "a", secret],
      ["up", "--trust", secret],
      ["status", "--json=\(secret)"], [secret], ["identity", secret], ["log", "show", "--limit", secret],
    ] {
      do throws(UsageError) {
        let found = try parser.parse(words)
        _ = try found.integer("limit", in: 1...10)
        Issue.record("accepted \(words)")
      } catch {
        #expect(![error.sentence, error.hint(for: programName), "\(error)"].contains { $0.contains(secret) })
      }
    }
  }

  @Test("Help is shown even when arguments are missing") func helpWinsOverWhatIsMissing() throws {
    #expect(try parser.parse(["identity", "create", "--help"]).has("help"))
    #expect(try parser.parse(["identity", "-h"]).path == ["identity"])
    #expect(try parser.parse(["--help"]).path == [])
    #expect(try parser.parse(["--version"]).has("version"))
  }

  @Test(
    "A value that is not a number in the range is refused",
    arguments: ["-1", "0", "11", "1e1", "٣", "99999999999999999999", "0x1", " 1"])
  func refusesWhatIsNoNumberInRange(text: String) throws {
    let found = try parser.parse(["log", "show", "--limit=\(text)"])
    #expect(throws: UsageError.valueNotANumber(option: "limit", from: 1, to: 10)) { try found.integer("limit", in: 1...10) }
  }
}

@Suite struct CommandTreeTests {
  private static func everyCommand(_ command: Command, _ path: [String] = []) -> [(path: [String], command: Command)] {
    [(path, command)] + command.verbs.flatMap { everyCommand($0, path + [$0.name]) }
  }

  @Test("Every command has --help, and all but the generators have --json")
  func everyCommandTakesHelpAndAllButTheGeneratorsTakeJSON() {
    for (path, command) in Self.everyCommand(.holdfast) {
      #expect(command.option(named: "help") != nil, "\(path)")
      let isText = [["completions"], ["man"], ["help"], ["version"]].contains(path)
      #expect((command.option(named: "json") != nil) == !isText, "\(path)")
      #expect((command.option(named: "home") != nil) == !(isText || [["api"], ["proof", "verify"]].contains(path)), "\(path)")
    }
  }

  @Test("No option, verb or argument of a command has a name twice") func noNameIsTakenTwice() {
    for (path, command) in Self.everyCommand(.holdfast) {
      let names = command.allOptions.map { "--" + $0.name } + command.verbs.map(\.name) + command.arguments.map(\.name)
      #expect(Set(names).count == names.count, "\(path)")
      let optional = command.arguments.firstIndex { !$0.isRequired } ?? command.arguments.count
      #expect(command.arguments[optional...].allSatisfy { !$0.isRequired }, "\(path)")
    }
  }

  @Test("Help texts fit a terminal of 80 columns") func helpFitsATerminalOf80Columns() throws {
    for (path, _) in Self.everyCommand(.holdfast) {
      let text = try #require(HelpText.text(for: path, in: .holdfast))
      for line in text.split(separator: "\n") where !line.contains("holdfast") { #expect(line.count <= 80, "\(path): \(line)") }
      #expect(!text.contains("\n\n\n"))
    }
  }

  @Test(
    "Help fits the width of the terminal, and a shell reads an example that was broken as one command",
    arguments: [40, 60, 80, 100])
  func helpFitsTheTerminal(width: Int) throws {
    for (path, command) in Self.everyCommand(.holdfast) {
      let text = try #require(HelpText.text(for: path, in: .holdfast, terminal: width))
      // A word that is longer than a line stands alone.
      for line in text.split(separator: "\n") where line.split(separator: " ").count > 1 && !line.hasSuffix("\\") {
        #expect(line.count <= width || line.contains("'") || line.contains("://"), "\(path): \(line)")
      }
      let joined = text.split(separator: "\\\n").joined().split(separator: " ").joined(separator: " ")
      for example in command.examples { #expect(joined.contains(example.line), "\(path): \(example.line)") }
    }
  }

  @Test("The help of a verb names its arguments and options") func helpOfOneVerbIsThis() {
    #expect(
      HelpText.text(for: ["identity", "default"], in: .holdfast) == """
        holdfast identity default: Make an identity the default one

        Usage:
          holdfast identity default NAME [OPTIONS]

        Arguments:
          NAME  The identity's name

        Options:
          --home DIR  The folder of the vault (default: $HOLDFAST_HOME, else
                      $XDG_DATA_HOME/holdfast, else ~/.local/share/holdfast)
          --json      Print one line of JSON instead of text for people
          -h, --help  Show this help

        Ways to open the vault without typing its passphrase: holdfast help opening

        """)
  }

  @Test("The help of the program names every command below a noun") func everyVerbIsListed() throws {
    let help = try #require(HelpText.text(for: [], in: .holdfast))
    let words = help.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for noun in Command.holdfast.verbs where !noun.verbs.isEmpty {
      #expect(words.contains(": " + noun.verbs.map(\.name).joined(separator: ", ")), "\(noun.name)")
    }
  }

  @Test("The short help fits a terminal of 24 lines and 80 columns, and names the way to the rest")
  func theShortHelpFitsASmallTerminal() {
    let help = HelpText.brief(of: .holdfast, terminal: 80)
    let lines = help.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 23 && lines.allSatisfy { $0.count <= 80 })
    #expect(help.contains("holdfast help all") && !help.contains("native-host"))
    for name in Command.holdfast.essentials { #expect(help.contains("\n  \(name) "), "\(name)") }
    #expect(Command.holdfast.essentials.allSatisfy { Command.holdfast.verb(named: $0) != nil })
  }

  @Test("The help of a noun lists its verbs") func helpOfANounListsItsVerbs() throws {
    let text = try #require(HelpText.text(for: ["log"], in: .holdfast))
    #expect(text.contains("Commands:\n  show        Show the newest entries, or one\n  incidents   Show"))
    #expect(HelpText.text(for: ["log", "nothing"], in: .holdfast) == nil)
    #expect(text.hasSuffix("For one command: holdfast help log COMMAND\n"))
  }

  @Test("Each topic has a page of help that fits a terminal of 80 columns, and the program's help lists it")
  func topicsAreExplained() throws {
    let help = try #require(HelpText.text(for: [], in: .holdfast))
    for topic in Command.holdfast.topics {
      let text = try #require(HelpText.text(forTopic: topic.name, in: .holdfast))
      #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 } && help.contains("\n  \(topic.name) "))
    }
    let opening = try #require(HelpText.text(forTopic: "opening", in: .holdfast))
    #expect(SharedOptions.opening.allSatisfy { opening.contains("--" + $0.name) })
    #expect(HelpText.text(forTopic: "pair", in: .holdfast) == nil)
  }
}
