import CommandLine
import ResponseTexts
import TerminalUI

/// Words of other programs that are no commands of Holdfast, such as `start`, and the commands here that do the same.
enum MeantCommands {
  private static let commands = [
    "start": ["up"], "run": ["up"], "serve": ["up"], "daemon": ["up"], "setup": ["init"],
    "list": ["identity list", "client list", "request list"], "ls": ["identity list", "client list", "request list"],
    "show": ["identity show", "client show", "request show"], "info": ["status", "identity show", "client show"],
    "new": ["init", "identity create", "pair"], "create": ["init", "identity create", "backup create"],
    "add": ["identity create", "pair", "slot add"], "make": ["init", "identity create", "pair"],
    "rm": removing, "remove": removing, "delete": removing, "del": removing,
    "connect": ["pair"], "passwd": ["slot passphrase"], "password": ["slot passphrase"], "passphrase": ["slot passphrase"],
  ]
  private static let removing = ["identity delete", "client revoke", "slot remove"]
  /// The command that a word means, if it is one alone.
  static func named(_ word: String) -> String? { commands[word].flatMap { $0.count == 1 ? $0[0] : nil } }
  /// All that a word alone suggests.
  static var suggested: [String] { commands.values.flatMap(\.self) }
  private static let ends = ["down", "quit", "exit", "shutdown", "kill"]

  /// The error for a command line, with a hint that names the command that was probably meant.
  /// - Parameters:
  ///   - words: the command line.
  ///   - line: the part of it that could be read.
  static func explained(_ fault: UsageError, _ words: [String], _ line: Invocation) -> UsageError {
    switch fault {
    case .unknownCommand(after: [], _):
      let plain = plainWords(words)
      guard let word = plain.first else { return fault }
      if ends.contains(word) { return .refused(sentence: fault.sentence, hint: stopping(line)) }
      return meant(by: word, before: plain.dropFirst().first).map { .unknownCommand(after: [], nearest: $0) } ?? fault
    case .unknownCommand(after: let path, _):
      guard let noun = Command.holdfast.descendant(path), let word = plainWords(words).dropFirst(path.count).first,
        let meant = Synonyms.command(noun, word)
      else { return fault }
      return .refused(sentence: fault.sentence, hint: "Did you mean 'holdfast \(meant)'?")
    case .unknownOption("--port", _) where line.path == ["up"], .optionNotHere("--port", _) where line.path == ["up"]:
      return .refused(
        sentence: "There is no option --port.",
        hint: "To choose the port: holdfast up --listen 127.0.0.1:\(port(in: words) ?? "24133")")
    case .unknownOption("--all", _) where line.path == ["request", "approve"]:
      return .refused(
        sentence: "'request approve' has no --all: requests of several apps are approved app by app.",
        hint: "To approve all of one app: holdfast request approve --app APP")
    case .optionNotHere(let option, let path): return beforeItsVerb(option, path) ?? fault
    // Whatever stands behind the name is meant to be the key.
    case .argumentUnexpected(_, ["identity", "import"]): return words.contains("-") ? Self.dashOfImport : .secretKeyInArguments
    default: return fault
    }
  }

  private static let dashOfImport = UsageError.refused(
    sentence: "'identity import' does not take '-'.",
    hint: "Without --from-file it reads the key from standard input: leave out the '-'.")

  private static func meant(by word: String, before next: String?) -> [String]? {
    if let known = commands[word] { return known }
    guard let noun = Synonyms.noun(word, in: .holdfast) else { return HelpCommand.verbAlone(word).map { [$0] } }
    if let next, let command = Synonyms.command(noun, next) { return [command] }
    return Synonyms.verb("list", of: noun).map { ["\(noun.name) \($0)"] }
  }

  /// The error for `backup --to PLACE`: an option of a verb that was left out. Nil if no verb takes it.
  private static func beforeItsVerb(_ option: String, _ path: [String]) -> UsageError? {
    guard let noun = path.first.flatMap({ Command.holdfast.verb(named: $0) }), path.count == 1, !noun.verbs.isEmpty else {
      return nil
    }
    for verb in noun.verbs {
      guard let found = verb.options.first(where: { "--" + $0.name == option }) else { continue }
      let value = found.takesValue ? " " + found.placeholder : ""
      return .refused(
        sentence: "'\(noun.name)' needs a verb before \(option).",
        hint: "Did you mean 'holdfast \(noun.name) \(verb.name) \(option)\(value)'?")
    }
    return nil
  }

  private static func stopping(_ line: Invocation) -> String {
    guard NextSteps.signerRuns(line) else { return "No signer runs on this home." }
    return SuggestedCommands(home: line.value("home")).text("To stop the signer: holdfast stop")
  }

  /// The words that are neither an option nor the home.
  private static func plainWords(_ words: [String]) -> [String] {
    var (rest, plain) = (words[...], [String]())
    while let word = rest.popFirst() {
      if word == "--home" { rest = rest.dropFirst() } else if !word.hasPrefix("-") { plain.append(word) }
    }
    return plain
  }

  private static func port(in words: [String]) -> String? {
    guard let place = words.firstIndex(where: { $0 == "--port" || $0.hasPrefix("--port=") }) else { return nil }
    let value = words[place] == "--port" ? words[(place + 1)...].first ?? "" : String(words[place].dropFirst("--port=".count))
    return UInt16(value).map { "\($0)" }
  }
}
