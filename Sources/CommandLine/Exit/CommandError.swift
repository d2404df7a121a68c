import Encodings
public import JSON
public import TerminalUI

/// Why the command was not done, in words, with its exit code.
public struct CommandError: Error, Sendable, Equatable {
  /// How the command ends.
  public let exit: ExitCode
  /// What happened and what it means.
  public let error: String
  /// What to do next; empty for nothing.
  public let hint: String
  /// How the command is written, for a command line of another form; empty otherwise.
  public var usage = ""
  /// For a passphrase that was typed wrongly: after how many seconds it may be typed again. Nil for all other reasons.
  public var tryAgainIn: Int?

  /// An error in words.
  public init(_ exit: ExitCode, _ error: String, hint: String = "") {
    self.exit = exit
    self.error = error
    self.hint = hint
  }

  /// A wrong command line.
  /// - Parameters:
  ///   - program: the program's name.
  ///   - command: the words that select the command, as far as they are known.
  public init(_ fault: UsageError, for program: String, command: [String]) {
    self.init(.usage, fault.sentence, hint: fault.hint(for: program, command: command))
  }

  /// A secret that could not be read.
  /// - Parameters:
  ///   - what: which one, as the subject of a sentence: `The passphrase`.
  ///   - option: the option that names a file with it, without dashes; nil if there is none.
  ///   - opens: whether it opens the vault or a backup, which stays locked without it.
  public init(_ fault: SecretInputError, what: String, option: String? = nil, opens: Bool = false) {
    switch fault {
    case .noTerminal:
      self.init(
        opens ? .locked : .usage, "\(what) is needed, but there is no terminal to ask on.",
        hint: option.map { "Give it in a file: --\($0) FILE" } ?? "Give it in a file: see --help.")
    case .empty: self.init(.usage, "\(what) is empty.", hint: "Nothing was done.")
    case .tooLong(let limit):
      self.init(.usage, "\(what) is longer than \(limit) bytes.", hint: "Check that this is the right file.")
    case .entriesDiffer: self.init(.usage, "The two entries differ.", hint: "Nothing was done. Try again.")
    case .interrupted: self.init(.failed, "Interrupted.", hint: "Nothing was done.")
    case .notReadable(let code):
      self.init(
        ExitCode(file: code), "\(what) could not be read: \(systemMessage(code)).",
        hint: "Check the file's name and its permissions.")
    case .inFile(let path, let fault):
      self.init(fault, what: "\(what) in \(printable(path, limit: 300))", option: option, opens: opens)
    case .descriptorNotOpen:
      self.init(
        .usage, "\(what) could not be read: that file descriptor is not open.", hint: "Open it in the shell, for example: 3<file")
    case .outOfMemory:
      self.init(
        .failed, "There is not enough locked memory for \(what.prefix(1).lowercased() + what.dropFirst()).",
        hint: "Raise the limit: ulimit -l 65536")
    }
  }

  /// For `--json`: `{"ok":false,"exit":2,"error":"…","hint":"…"}`.
  public var json: JSONValue {
    let next = [usage.isEmpty ? "" : "Usage: \(usage).", hint].filter { !$0.isEmpty }.joined(separator: " ")
    return ["ok": false, "exit": .integer(Int64(exit.rawValue)), "error": .string(error), "hint": .string(next)]
  }

  /// For people: what happened, how the command is written, and what to do, each on a line of its own.
  /// - Parameters:
  ///   - program: the program's name.
  ///   - width: of the terminal, in columns. The usage is broken between its words there.
  public func text(from program: String, width: Int = 80) -> String {
    let lines = [program + ": " + printable(error, limit: 600), usageLines(width), printable(hint, limit: 600)]
    return lines.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private func usageLines(_ width: Int) -> String {
    guard !usage.isEmpty else { return "" }
    let title = "Usage: "
    // An option stays on one line with its value.
    let joined = usage.replacing(text: " ", by: "\u{A0}").replacing(text: "]\u{A0}", by: "] ").replacing(
      text: "\u{A0}[", by: " [")
    let lines = wrapped(joined, width: max(40, width - title.count - 2))
    return title
      + lines.joined(separator: "\n" + String(repeating: " ", count: title.count + 2)).replacing(text: "\u{A0}", by: " ")
  }
}
