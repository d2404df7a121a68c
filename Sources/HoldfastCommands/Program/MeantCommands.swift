import CommandLine
import TerminalUI

/// Words of other programs that are no commands of Holdfast, such as `start`, and the commands here that do the same.
enum MeantCommands {
  private static let commands = [
    "start": ["up"], "run": ["up"], "serve": ["up"], "daemon": ["up"], "apps": ["client list"], "app": ["client list"],
    "keys": ["identity list"], "key": ["identity list"], "kits": ["recovery list"], "logs": ["log show"],
    "list": ["identity list", "client list", "request list"], "ls": ["identity list", "client list", "request list"],
  ]
  private static let ends = ["stop", "down", "quit", "exit", "shutdown", "kill"]

  /// The error for a command line, with a hint that names the command that was probably meant.
  /// - Parameters:
  ///   - words: the command line.
  ///   - line: the part of it that could be read.
  static func explained(_ fault: UsageError, _ words: [String], _ line: Invocation) -> UsageError {
    switch fault {
    case .unknownCommand(after: [], _):
      guard let word = command(in: words) else { return fault }
      if ends.contains(word) { return .refused(sentence: fault.sentence, hint: stopping(line)) }
      return meant(by: word).map { .unknownCommand(after: [], nearest: $0) } ?? fault
    case .unknownOption("--port", _) where line.path == ["up"], .optionNotHere("--port", _) where line.path == ["up"]:
      return .refused(
        sentence: "There is no option --port.",
        hint: "To choose the port: holdfast up --listen 127.0.0.1:\(port(in: words) ?? "24133")")
    default: return fault
    }
  }

  private static func meant(by word: String) -> [String]? {
    if let known = commands[word] { return known }
    // requests, identities, clients
    let nouns = Command.holdfast.verbs.filter { $0.verb(named: "list") != nil }.map(\.name)
    return nouns.first { word == $0 + "s" || $0.hasSuffix("y") && word == $0.dropLast() + "ies" }.map { ["\($0) list"] }
  }

  private static func stopping(_ line: Invocation) -> String {
    guard let process = try? runningSigner(home(line)) else { return "No signer runs on this home." }
    return "To stop the signer: Ctrl-C in its terminal, or: kill \(process)"
  }

  /// The first word that is neither an option nor the home.
  private static func command(in words: [String]) -> String? {
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--home" { rest = rest.dropFirst() } else if !word.hasPrefix("-") { return word }
    }
    return nil
  }

  private static func port(in words: [String]) -> String? {
    guard let place = words.firstIndex(where: { $0 == "--port" || $0.hasPrefix("--port=") }) else { return nil }
    let value = words[place] == "--port" ? words[(place + 1)...].first ?? "" : String(words[place].dropFirst("--port=".count))
    return UInt16(value).map { "\($0)" }
  }
}
