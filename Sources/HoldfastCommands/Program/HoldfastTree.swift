import CommandLine

/// The commands of `holdfast`, in the order in which its help lists them.
enum HoldfastTree {
  private enum Node {
    case command(any ProgramCommand.Type)
    case noun(Noun)

    var place: Command {
      switch self {
      case .command(let command): command.place
      case .noun(let noun): noun.place
      }
    }

    func command(_ path: [String]) -> (any ProgramCommand.Type)? {
      switch self {
      case .command(let command): path == [command.place.name] ? command : nil
      case .noun(let noun): noun.command(path)
      }
    }
  }

  private static let titled: [(title: String, nodes: [Node])] = [
    (
      "Start",
      [
        .command(UpCommand.self), .command(InitCommand.self), .command(KeepCommand.self), .command(ConsoleCommand.self),
        .command(StatusCommand.self), .command(DoctorCommand.self),
      ]
    ),
    (
      "Apps and their requests",
      [
        .command(PairCommand.self), .noun(.client), .noun(.local), .command(OpenCommand.self), .noun(.links),
        .noun(.browserExtension), .noun(.bunker), .noun(.request), .noun(.policy), .noun(.relay), .noun(.people),
        .noun(.push), .noun(.wake),
      ]
    ),
    ("Keys", [.noun(.identity), .command(SignCommand.self)]),
    (
      "Lock and stop",
      [
        .command(StopCommand.self), .command(LockCommand.self), .command(UnlockCommand.self), .command(PanicCommand.self),
        .command(ResumeCommand.self),
        .noun(.session),
      ]
    ),
    ("Never lose a key", [.noun(.backup), .noun(.recovery), .noun(.guardian)]),
    ("The vault and its log", [.noun(.vault), .noun(.slot), .noun(.log), .noun(.proof), .command(EraseCommand.self)]),
    (
      "This program",
      [
        .command(CompletionsCommand.self), .command(ManualCommand.self), .command(ContractCommand.self),
        .command(HelpCommand.self), .command(VersionCommand.self), .command(NativeHostCommand.self),
      ]
    ),
  ]

  private static var nodes: [Node] { titled.flatMap(\.nodes) }

  /// The titles in the help, and the commands below each.
  static var groups: [CommandGroup] { titled.map { CommandGroup($0.title, $0.nodes.map(\.place.name)) } }

  /// The places of all commands.
  static var places: [Command] { nodes.map(\.place) }

  /// The command that the words select.
  static func command(_ path: [String]) -> (any ProgramCommand.Type)? { nodes.lazy.compactMap { $0.command(path) }.first }
}

extension Command {
  /// The whole tree with every command, option and example.
  static let holdfast = Command(
    "holdfast", "Keep Nostr keys in one place and sign from there",
    discussion: """
      Apps ask, your rules answer, the key never moves.

      To try Holdfast, run 'holdfast up --trial'. To keep it, run 'holdfast init', then 'holdfast up'. Most commands ask the \
      running signer. If none runs, they open the vault themselves and ask for its passphrase.
      """,
    options: [.flag("version", "Show the version")],
    shared: SharedOptions.vault, verbs: HoldfastTree.places, groups: HoldfastTree.groups,
    essentials: [
      "up", "init", "console", "pair", "request", "client", "identity", "lock", "unlock", "backup", "recovery", "status",
      "doctor",
    ], topics: HelpTopic.holdfast)
}
