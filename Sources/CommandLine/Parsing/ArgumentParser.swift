import Encodings
import TerminalUI

/// Reads a command line against the command tree.
public struct ArgumentParser: Sendable {
  private let root: Command
  private let isSecret: @Sendable (String) -> Bool

  /// - Parameters:
  ///   - root: the program; its verbs are the commands.
  ///   - isSecret: whether a word is a secret that must not be on a command line. Then the command line is refused.
  public init(root: Command, isSecret: @escaping @Sendable (String) -> Bool = { _ in false }) {
    (self.root, self.isSecret) = (root, isSecret)
  }

  /// - Parameter words: the arguments after the program's name.
  /// - Throws: the first fault found.
  ///
  /// `--help` and `--version` win over faults that come after them, and over missing arguments.
  public func parse(_ words: [String]) throws(UsageError) -> Invocation {
    guard !words.contains(where: isSecret) else { throw .secretKeyInArguments }
    var cursor = Cursor(command: root)
    try read(words, &cursor)
    return cursor.found.asksForHelp ? cursor.found : try cursor.finished()
  }

  /// A command line as far as it can be read: up to its first fault.
  public func beginning(of words: [String]) -> Invocation {
    var cursor = Cursor(command: root)
    try? read(words, &cursor)
    return cursor.found
  }

  private func read(_ words: [String], _ cursor: inout Cursor) throws(UsageError) {
    var rest = words[...]
    while let word = rest.popFirst() {
      if cursor.onlyArguments || word == "-" || !word.hasPrefix("-") || cursor.takesNumber(word) {
        try cursor.take(word, before: rest)
      } else if word == "--" {
        cursor.onlyArguments = true
      } else if word.hasPrefix("--") {
        try takeLong(word.dropFirst(2), &rest, &cursor)
      } else {
        try takeLetters(word.dropFirst(), &rest, &cursor)
      }
      if cursor.found.asksForHelp { return }
    }
  }

  private func takeLong(_ word: Substring, _ rest: inout ArraySlice<String>, _ cursor: inout Cursor) throws(UsageError) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts.first ?? "")
    guard let option = cursor.command.option(named: name) else { throw unknown(name, cursor) }
    guard option.takesValue else {
      guard parts.count > 1 else { return try cursor.add(option, value: nil) }
      guard option.shape == .optional else { throw .valueNotTaken(option: name) }
      return try cursor.add(option, value: String(parts[1]))
    }
    if parts.count > 1 { return try cursor.add(option, value: String(parts[1])) }
    try takeNext(option, &rest, &cursor)
  }

  /// `-q`, several flags as `-qy`, or one with a value as `-n 5` or `-n5`.
  private func takeLetters(
    _ letters: Substring, _ rest: inout ArraySlice<String>, _ cursor: inout Cursor
  ) throws(UsageError) {
    var letters = letters
    while let letter = letters.popFirst() {
      guard let option = cursor.command.option(letter: letter) else {
        throw .unknownOption(name: "-" + printable(String(letter)), nearest: nil)
      }
      guard option.takesValue else {
        try cursor.add(option, value: nil)
        continue
      }
      if letters.isEmpty { return try takeNext(option, &rest, &cursor) }
      return try cursor.add(option, value: String(letters))
    }
  }

  /// Takes the next word as the option's value. A following option is a forgotten value rather than a value that looks like one;
  /// `--name=--value` still says so.
  private func takeNext(
    _ option: CommandOption, _ rest: inout ArraySlice<String>, _ cursor: inout Cursor
  ) throws(UsageError) {
    guard let next = rest.first, !next.hasPrefix("--") else { throw .valueMissing(option: option.name) }
    rest.removeFirst()
    try cursor.add(option, value: next)
  }

  private func unknown(_ name: String, _ cursor: Cursor) -> UsageError {
    let shown = "--" + printable(name, limit: 40)
    let own = cursor.command.options.map(\.name).filter { Self.isPart(name, of: $0) }
    if let close = nearest(to: name, among: cursor.command.allOptions.map(\.name)) ?? own.min(by: { $0.count < $1.count }) {
      return .unknownOption(name: shown, nearest: close)
    }
    let elsewhere = Self.leaves(root).contains { $0.option(named: name) != nil }
    if elsewhere, !cursor.found.path.isEmpty { return .optionNotHere(name: shown, command: cursor.found.path) }
    return .unknownOption(name: shown, nearest: nil)
  }

  /// Whether a word is one of those that a name is made of, as `file` of `from-file`.
  private static func isPart(_ word: String, of name: String) -> Bool { name.split(separator: "-").contains(Substring(word)) }

  private static func leaves(_ command: Command) -> [Command] { [command] + command.verbs.flatMap { leaves($0) } }

}

extension Invocation {
  /// Whether an option was given that wins over everything after it.
  fileprivate var asksForHelp: Bool { has("help") || has("version") }
}

/// How far the reading has come.
private struct Cursor {
  var command: Command
  var found = Invocation()
  var onlyArguments = false
  private var taken = 0

  init(command: Command) { self.command = command }

  /// Whether the word is a number below zero, which no option is, where an argument is expected: the command says what it takes instead.
  func takesNumber(_ word: String) -> Bool {
    command.verbs.isEmpty && word.utf8.count > 1 && word.utf8.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
  }

  /// - Parameter rest: the words that follow.
  mutating func take(_ word: String, before rest: ArraySlice<String>) throws(UsageError) {
    if command.verbs.isEmpty { return try takeArgument(word) }
    guard let verb = command.verb(named: word) else {
      throw .unknownCommand(after: found.path, nearest: suggestions(for: word, before: rest))
    }
    // Options that came before the command must be among those it takes.
    for name in found.options.keys.sorted() where verb.verbs.isEmpty && verb.option(named: name) == nil {
      throw .optionNotHere(name: "--" + name, command: found.path + [verb.name])
    }
    command = verb
    found.path.append(verb.name)
  }

  /// The commands that could be meant, with the verb after a mistyped noun if it has that one.
  private func suggestions(for word: String, before rest: ArraySlice<String>) -> [String] {
    let whole = found.path.isEmpty ? commands(endingIn: word) : []
    if 1...Self.mostSuggestions ~= whole.count { return whole }
    guard let close = nearest(to: word, among: command.verbs.map(\.name)) else { return [] }
    let verb = rest.first.flatMap { command.verb(named: close)?.verb(named: $0) }
    return [verb.map { "\(close) \($0.name)" } ?? close]
  }

  /// As many as a sentence can name; `list`, which many nouns have, suggests nothing.
  private static let mostSuggestions = 3

  /// The commands or option whose beginning was left out: `request approve` for `approve`, `--version` for `version`.
  private func commands(endingIn word: String) -> [String] {
    let meant = command.verbs.compactMap { noun in noun.verb(named: word).map { "\(noun.name) \($0.name)" } }
    return command.option(named: word) == nil ? meant : meant + ["--" + word]
  }

  private mutating func takeArgument(_ word: String) throws(UsageError) {
    let repeated = command.arguments.last.flatMap { $0.repeats ? $0 : nil }
    guard let place = taken < command.arguments.count ? command.arguments[taken] : repeated else {
      throw .argumentUnexpected(position: taken + 1, command: found.path)
    }
    if word.isEmpty { throw .argumentEmpty(name: place.name, command: found.path) }
    if case .words(let allowed) = place.completion, !allowed.contains(word) {
      throw .argumentNotAllowed(name: place.name, allowed: allowed)
    }
    if place.repeats { found.lists[place.name, default: []].append(word) } else { found.arguments[place.name] = word }
    taken += 1
  }

  mutating func add(_ option: CommandOption, value: String?) throws(UsageError) {
    if option.shape == .value || option.shape == .optional, found.has(option.name) { throw .givenTwice(option: option.name) }
    if let value {
      if value.isEmpty { throw .valueEmpty(option: option.name) }
      if case .words(let allowed) = option.completion, !allowed.contains(value) {
        throw .valueNotAllowed(option: option.name, allowed: allowed)
      }
    }
    found.options[option.name, default: []] += value.map { [$0] } ?? []
  }

  func finished() throws(UsageError) -> Invocation {
    if found.path.isEmpty, !command.verbs.isEmpty { throw .noCommand }
    if !command.verbs.isEmpty { throw .noVerb(after: found.path) }
    if let missing = command.arguments.dropFirst(taken).first(where: \.isRequired) {
      throw .argumentMissing(name: missing.name, command: found.path)
    }
    return found
  }
}
