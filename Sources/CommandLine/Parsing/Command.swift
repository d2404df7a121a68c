/// One node of the command tree: a noun with verbs below it, or a verb that does something.
///
/// The tree is data. Parsing, help, completions and the manual page are all read off it, so they cannot disagree.
public struct Command: Sendable {
  /// The word that selects the command.
  public let name: String
  /// Other words that select it, which the help of the command names and a shell does not offer.
  public let aliases: [String]
  /// One line, a sentence without its full stop.
  public let summary: String
  /// What the help adds below the summary; empty for none. Paragraphs are split by blank lines.
  public let discussion: String
  /// The words that follow the command, in order.
  public let arguments: [Argument]
  /// Its own options; the shared ones come from `shared`.
  public let options: [CommandOption]
  /// The options it has in common with its neighbours.
  public let shared: [CommandOption]
  /// Lines to copy, with what each does.
  public let examples: [Example]
  /// The verbs below a noun; empty for a command that does something.
  public let verbs: [Command]
  /// Titles over the verbs in the help; empty for one list.
  public let groups: [CommandGroup]
  /// The names of the verbs that a short help lists; empty when it lists all.
  public let essentials: [String]
  /// What the program explains apart from its commands.
  public let topics: [HelpTopic]

  /// A command by its parts; without verbs it does something.
  public init(
    _ name: String, _ summary: String, aliases: [String] = [], discussion: String = "", arguments: [Argument] = [],
    options: [CommandOption] = [],
    shared: [CommandOption], examples: [Example] = [], verbs: [Command] = [], groups: [CommandGroup] = [],
    essentials: [String] = [], topics: [HelpTopic] = []
  ) {
    self.name = name
    self.aliases = aliases
    self.summary = summary
    self.discussion = discussion
    self.arguments = arguments
    self.options = options
    self.shared = shared
    self.examples = examples
    self.verbs = verbs
    self.groups = groups
    self.essentials = essentials
    self.topics = topics
  }

  /// Every option the command takes, its own first. One of its own takes the place of a shared one of that name.
  public var allOptions: [CommandOption] {
    options + shared.filter { option in !options.contains { $0.name == option.name } }
  }

  /// The verb of that name below this noun, or the one that has it as an alias.
  public func verb(named name: String) -> Command? {
    verbs.first { $0.name == name } ?? verbs.first { $0.aliases.contains(name) }
  }
  /// The option of that name.
  public func option(named name: String) -> CommandOption? { allOptions.first { $0.name == name } }
  func option(letter: Character) -> CommandOption? { allOptions.first { $0.letter == letter } }
}

/// Verbs of a noun, or options of a command, that the help lists under one title.
public struct CommandGroup: Sendable {
  /// The title, without a colon.
  public let title: String
  /// The names of the verbs or options.
  public let names: [String]

  /// A title and the names below it.
  public init(_ title: String, _ names: [String]) {
    self.title = title
    self.names = names
  }
}

/// A line of the help that can be copied.
public struct Example: Sendable {
  /// The line, as typed in a shell.
  public let line: String
  /// What it does.
  public let meaning: String

  /// A line, and what it does.
  public init(_ line: String, _ meaning: String) {
    self.line = line
    self.meaning = meaning
  }
}

/// What a shell offers in the place of a value.
public enum Completion: Sendable, Equatable {
  case nothing, file, folder
  /// One of these words and no other.
  case words([String])
  /// One of these words, or another value that the command takes.
  case examples([String])
  /// The names of things of that kind, which the program's command `complete-names KIND` prints, one a line.
  case names(String)
}

/// A word that follows the command.
public struct Argument: Sendable {
  /// The name in the usage line, in capitals there.
  public let name: String
  /// What to write there.
  public let help: String
  /// Whether the command cannot do without it.
  public let isRequired: Bool
  /// What a shell offers, and what the parser accepts when it is `.words`.
  public let completion: Completion
  /// Whether more words like it may follow; only the last place of a command.
  public let repeats: Bool

  /// A place by its parts.
  public init(
    _ name: String, _ help: String, required: Bool = true, completion: Completion = .nothing, repeats: Bool = false
  ) {
    self.name = name
    self.help = help
    isRequired = required
    self.completion = completion
    self.repeats = repeats
  }

  /// The place in a usage line: `ID`, `[URI]`, `[ID...]`.
  var placeholder: String {
    let name = self.name.uppercased() + (repeats ? "..." : "")
    return isRequired ? name : "[\(name)]"
  }
}

/// An option: `--name`, `--name VALUE`, `--name VALUE` any number of times, or `--name[=VALUE]`.
public struct CommandOption: Sendable {
  /// How often the option may be given, and whether a value follows.
  public enum Shape: Sendable {
    case flag, value, repeated
    /// `--name`, or `--name=VALUE` in one word.
    case optional
  }

  /// The name without its dashes.
  public let name: String
  /// The one-letter form, without its dash.
  public var letter: Character? { ShortOptions.letters[name] }
  /// Whether a value follows, and how often.
  public let shape: Shape
  /// The name of the value in the help, in capitals; empty for a flag.
  public let placeholder: String
  /// What it does, a sentence without its full stop.
  public let help: String
  /// What a shell offers, and what the parser accepts when it is `.words`.
  public let completion: Completion

  /// Whether a value follows as a word of its own.
  public var takesValue: Bool { shape == .value || shape == .repeated }

  /// The value's name after the option's name: ` FILE`, `[=URI]`, or nothing.
  var suffix: String {
    if placeholder.isEmpty { return "" }
    return shape == .optional ? "[=\(placeholder)]" : " " + placeholder
  }

  /// The option that every command has, and that shows its help.
  public static let help = flag("help", "Show this help")

  /// `--name`.
  public static func flag(_ name: String, _ help: String) -> CommandOption {
    CommandOption(name: name, shape: .flag, placeholder: "", help: help, completion: .nothing)
  }

  /// `--name VALUE`.
  public static func value(
    _ name: String, _ placeholder: String, _ help: String, completion: Completion = .nothing
  ) -> CommandOption {
    CommandOption(name: name, shape: .value, placeholder: placeholder, help: help, completion: completion)
  }

  /// `--name` or `--name=VALUE`.
  public static func optional(_ name: String, _ placeholder: String, _ help: String) -> CommandOption {
    CommandOption(name: name, shape: .optional, placeholder: placeholder, help: help, completion: .nothing)
  }

  /// `--name VALUE`, any number of times.
  public static func repeated(
    _ name: String, _ placeholder: String, _ help: String, completion: Completion = .nothing
  ) -> CommandOption {
    CommandOption(name: name, shape: .repeated, placeholder: placeholder, help: help, completion: completion)
  }
}
