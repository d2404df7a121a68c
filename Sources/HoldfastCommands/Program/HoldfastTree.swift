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

  private static let nodes: [Node] = [
    .command(UpCommand.self), .command(InitCommand.self), .command(KeepCommand.self),
    .command(ConsoleCommand.self), .command(StatusCommand.self),
    .command(DoctorCommand.self), .noun(.identity), .command(PairCommand.self), .noun(.relay), .noun(.client), .noun(.policy),
    .noun(.request), .noun(.people),
    .noun(.push), .noun(.log), .noun(.proof), .command(SignCommand.self), .command(LockCommand.self),
    .command(UnlockCommand.self),
    .command(PanicCommand.self), .command(ResumeCommand.self), .noun(.vault), .noun(.slot), .noun(.recovery), .noun(.guardian),
    .noun(.backup), .noun(.session), .command(EraseCommand.self), .command(CompletionsCommand.self), .command(ManualCommand.self),
    .command(ContractCommand.self), .command(HelpCommand.self),
  ]

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
    options: [.flag("version", letter: "V", "Show the version")],
    shared: SharedOptions.vault, verbs: HoldfastTree.places, topics: HelpTopic.holdfast)
}
