import CommandLine
import Encodings
import Platform
import TerminalUI

/// Options from the command line, the environment and a file. What comes first in this order counts.
enum Configuration {
  /// The longest configuration file, in bytes.
  static let longestFile = 64 << 10

  static func read(_ words: [String]) throws(CommandError) -> Invocation {
    let typed = try parse(words)
    guard !["help", "version", "manual"].contains(where: typed.has) else { return typed }
    var all = words + environment(except: typed)
    let known = try parse(all)
    if let path = known.value("config") { all += try file(path, except: known) }
    return try parse(all)
  }

  private static func parse(_ words: [String]) throws(CommandError) -> Invocation {
    do throws(UsageError) { return try ArgumentParser(root: PushCommand.root).parse(words) } catch {
      throw CommandError(error, for: PushProgram.name, command: [])
    }
  }

  private static func environment(except typed: Invocation) -> [String] {
    PushCommand.root.options.flatMap { option -> [String] in
      let name = "HOLDFAST_PUSH_" + option.name.uppercased().replacing(text: "-", by: "_")
      guard !typed.has(option.name), let value = Terminal.environment(name), !value.isEmpty else { return [] }
      return option.shape == .flag ? (value == "1" ? ["--" + option.name] : []) : values(of: option, in: value)
    }
  }

  /// Those that may be given several times are divided by spaces.
  private static func values(of option: CommandOption, in text: String) -> [String] {
    let values = option.shape == .repeated ? text.split(separator: " ").map(String.init) : [text]
    return values.map { "--\(option.name)=\($0)" }
  }

  private static func file(_ path: String, except known: Invocation) throws(CommandError) -> [String] {
    var words: [String] = []
    for (index, line) in try lines(of: path).enumerated() {
      let parts = line.split(maxSplits: 1, whereSeparator: { $0 == " " || $0 == "\t" })
      guard let name = parts.first.map(String.init), !name.hasPrefix("#") else { continue }
      guard let option = PushCommand.root.options.first(where: { $0.name == name }), (parts.count == 2) == option.takesValue
      else {
        throw CommandError(
          .usage, "Line \(index + 1) of \(printable(path, limit: 300)) is no option with its value.",
          hint: "For example: public-url https://push.example")
      }
      guard !known.has(name) else { continue }
      words.append(parts.count == 2 ? "--\(name)=\(parts[1].trimmed)" : "--\(name)")
    }
    return words
  }

  private static func lines(of path: String) throws(CommandError) -> [Substring] {
    let bytes = try BoundedFile.bytes(of: path, most: longestFile)
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    var text = self
    while let last = text.last, last == " " || last == "\t" || last == "\r" { text.removeLast() }
    while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
    return text
  }
}
