/// What is wrong with a command line. Exit code 2.
///
/// Cases name options and places, never values: a secret may have been typed where it does not belong. The program adds the value where that
/// place is for something public.
public enum UsageError: Error, Equatable {
  case noCommand
  /// `nearest` are the commands that could be meant, none or a few.
  case unknownCommand(after: [String], nearest: [String])
  case noVerb(after: [String])
  case unknownOption(name: String, nearest: String?)
  /// The option exists, but not for this command.
  case optionNotHere(name: String, command: [String])
  case valueMissing(option: String)
  case valueNotTaken(option: String)
  case valueEmpty(option: String)
  case valueNotAllowed(option: String, allowed: [String])
  case valueNotANumber(option: String, from: Int64, to: Int64)
  /// The value has the wrong form; `form` says the right one.
  case valueMalformed(option: String, form: String)
  case givenTwice(option: String)
  case exclude(option: String, other: String)
  /// The option means nothing without the other.
  case needs(option: String, other: String)
  case argumentMissing(name: String, command: [String])
  case argumentEmpty(name: String, command: [String])
  case argumentNotAllowed(name: String, allowed: [String])
  /// - Parameter position: counted from 1, after the command's own words.
  case argumentUnexpected(position: Int, command: [String])
  /// A word that only the program itself can judge; both sentences are its own.
  case refused(sentence: String, hint: String)
  /// A secret key stood on the command line, where other programs and the shell's history can read it.
  case secretKeyInArguments
  case notUTF8(position: Int)
}

extension UsageError {
  /// What happened and what it means, for people: one sentence without a line break.
  public var sentence: String {
    switch self {
    case .noCommand: "No command was given."
    case .unknownCommand(let after, _):
      "There is no such command\(after.isEmpty ? "" : " below '\(after.joined(separator: " "))'")."
    case .noVerb(let after): "'\(after.joined(separator: " "))' needs a verb."
    case .unknownOption(let name, _): "There is no option \(name)."
    case .optionNotHere(let name, let command): "'\(command.joined(separator: " "))' does not take \(name)."
    case .valueMissing(let option): "--\(option) needs a value."
    case .valueNotTaken(let option): "--\(option) takes no value."
    case .valueEmpty(let option): "The value of --\(option) is empty."
    case .valueNotAllowed(let option, let allowed): "--\(option) takes \(Self.alternatives(allowed))."
    case .valueNotANumber(let option, let from, let to): "--\(option) takes a whole number from \(from) to \(to)."
    case .valueMalformed(let option, let form): "--\(option) takes \(form)."
    case .givenTwice(let option): "--\(option) was given twice."
    case .exclude(let option, let other): "--\(option) and --\(other) cannot be used together."
    case .needs(let option, let other): "--\(option) needs --\(other)."
    case .argumentMissing(let name, let command): "'\(command.joined(separator: " "))' needs \(name.uppercased())."
    case .argumentEmpty(let name, _): "\(name.uppercased()) is empty."
    case .argumentNotAllowed(let name, let allowed): "\(name.uppercased()) must be \(Self.alternatives(allowed))."
    case .argumentUnexpected(let position, let command):
      "'\(command.joined(separator: " "))' does not take argument number \(position)."
    case .secretKeyInArguments:
      "A secret key was on the command line, where the shell's history and other programs can read it."
    case .refused(let sentence, _): sentence
    case .notUTF8(let position): "Argument number \(position) is not UTF-8 text."
    }
  }

  /// Whether the command is written in another way: it lacks an argument, or has one or an option that it does not take.
  public var isOfForm: Bool {
    switch self {
    case .optionNotHere, .argumentMissing, .argumentUnexpected, .unknownOption(_, nil): true
    default: false
    }
  }

  /// What to do next; one sentence.
  /// - Parameters:
  ///   - program: the program's name.
  ///   - command: the words that select the command, as far as they are known.
  public func hint(for program: String, command: [String] = []) -> String {
    switch self {
    case .unknownCommand(let after, let nearest) where !nearest.isEmpty:
      "Did you mean \(Self.alternatives(nearest.map { "'\(Self.line(program, after + [$0]))'" }))?"
    case .unknownCommand(let after, _), .noVerb(let after): "Try '\(Self.line(program, after + ["--help"]))'."
    case .unknownOption(_, let nearest?): "Did you mean --\(nearest)?"
    case .optionNotHere(_, let command), .argumentMissing(_, let command), .argumentEmpty(_, let command),
      .argumentUnexpected(_, let command):
      "Try '\(Self.line(program, command + ["--help"]))'."
    case .secretKeyInArguments:
      "Nothing was done. Others may know that key now: replace it by a new one, and give keys on standard input."
    case .refused(_, let hint): hint
    case .notUTF8: "Check the terminal's encoding."
    case .noCommand, .unknownOption, .valueMissing, .valueNotTaken, .valueEmpty, .valueNotAllowed, .valueNotANumber,
      .valueMalformed, .givenTwice, .exclude, .needs, .argumentNotAllowed:
      "Try '\(Self.line(program, command + ["--help"]))'."
    }
  }

  private static func line(_ program: String, _ words: [String]) -> String { ([program] + words).joined(separator: " ") }

  private static func alternatives(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " or " + last
  }
}
