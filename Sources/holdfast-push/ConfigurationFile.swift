import CommandLine
import Encodings
import Platform
import TerminalUI

/// Options from a file: one option a line, then a space and its value. Lines that begin with `#` are comments.
struct ConfigurationFile {
  /// The longest one, in bytes.
  static let longest = 64 << 10

  private let shown: String
  private let lines: [Substring]

  init(_ path: String) throws(CommandError) {
    shown = printable(path, limit: 300)
    let text = String(decoding: try BoundedFile.bytes(of: path, most: Self.longest), as: UTF8.self)
    lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }.map(\.trimmed)
  }

  /// The options as words of a command line.
  func words(except known: Invocation) throws(CommandError) -> [String] {
    var (words, seen): ([String], [String: Int]) = ([], [:])
    for (number, line) in zip(1..., lines) where !line.isEmpty && !line.hasPrefix("#") {
      let place = "Line \(number) of \(shown)"
      let parts = line.split(maxSplits: 1, whereSeparator: \.isBlank).map(\.trimmed)
      let (option, value) = (try option(parts[0], hasValue: parts.count == 2, place), parts.count == 2 ? parts[1] : nil)
      try check(option, value, place)
      if option.shape != .repeated, let first = seen.updateValue(number, forKey: option.name) {
        throw CommandError(.usage, "\(place): \(option.name) is in line \(first) already.", hint: "Remove one of the two lines.")
      }
      guard !known.has(option.name) else { continue }
      words.append(value.map { "--\(option.name)=\($0)" } ?? "--\(option.name)")
    }
    return words
  }

  /// Whether a line names a database with the password of its user.
  var hasPassword: Bool {
    lines.contains { line in
      let parts = line.split(maxSplits: 1, whereSeparator: \.isBlank)
      guard parts.count == 2, parts[0] == "database" else { return false }
      let address = parts[1].drop { $0 != "/" }
      let user = address.lastIndex(of: "@").map { address[..<$0] }
      return String(address).includes("password=") || user?.contains(":") == true
    }
  }

  private func check(_ option: CommandOption, _ value: Substring?, _ place: String) throws(CommandError) {
    if let value, Self.hasComment(value) {
      throw CommandError(
        .usage, "\(place): there is a comment after \(option.name).",
        hint: "Write the comment in a line of its own, which begins with #.")
    }
    guard (value != nil) == option.takesValue else {
      throw CommandError(
        .usage, option.takesValue ? "\(place): \(option.name) has no value." : "\(place): \(option.name) takes no value.",
        hint: option.takesValue ? "For example: public-url https://push.example" : "Write it alone in its line.")
    }
  }

  /// Whether a part of it begins with `#`.
  private static func hasComment(_ value: Substring) -> Bool {
    value.split(whereSeparator: \.isBlank).contains { $0.hasPrefix("#") }
  }

  // MARK: the option of a line

  private func option(_ word: Substring, hasValue: Bool, _ place: String) throws(CommandError) -> CommandOption {
    let options = PushCommand.root.options
    if let option = options.first(where: { $0.name == word }) { return option }
    if let option = options.first(where: {
      word == "--" + $0.name || word.hasPrefix("\($0.name)=") || word.hasPrefix("--\($0.name)=")
    }) {
      let form = option.takesValue ? "\(option.name) VALUE" : option.name
      throw CommandError(.usage, "\(place): \(option.name) is written as on a command line.", hint: "Here it is written: \(form)")
    }
    if let close = nearest(to: String(word), among: options.map(\.name)) {
      throw CommandError(
        .usage, "\(place): there is no option \(printable(String(word), limit: 40)).", hint: "Did you mean \(close)?")
    }
    guard hasValue, Self.isLikeOption(word) else {
      throw CommandError(
        .usage, "\(place) begins with no option. The word is not shown because it may be a password.",
        hint: "For example: public-url https://push.example")
    }
    throw CommandError(.usage, "\(place): there is no option \(word).", hint: "\(PushProgram.name) --help lists all options.")
  }

  /// Whether a word is written like an option. Any other one may be a password.
  private static func isLikeOption(_ word: Substring) -> Bool {
    word.utf8.count <= 40 && word.utf8.allSatisfy { $0 == 0x2D || (0x61...0x7A).contains($0) }
  }
}

extension Character {
  fileprivate var isBlank: Bool { self == " " || self == "\t" }
}

extension Substring {
  fileprivate var trimmed: Substring {
    var text = self
    while let last = text.last, last.isBlank { text.removeLast() }
    while let first = text.first, first.isBlank { text.removeFirst() }
    return text
  }
}
