import CommandLine

/// What several commands of `holdfast recovery` have in common.
enum RecoveryArguments {
  static let shareFiles = Argument(
    "share-file", "Files with shares, one or several in each, or sheets of the kit (default: standard input)", required: false,
    completion: .file,
    repeats: true)
}

/// The files with shares that a command line names: as arguments, or as for other commands with `--shares-file`.
enum ShareFiles {
  static func named(in line: Invocation) -> [String] {
    line.arguments("share-file") + line.values("shares-file")
  }
}

extension Noun {
  static let recovery = Noun(
    "recovery", "Recovery kits on paper",
    discussion: """
      A kit is a set of shares of 20 or 33 words each (SLIP-39). Enough of them together open the vault or a backup of it, or \
      restore one identity; fewer reveal nothing at all. Give them to people, or put them in places, that you will not lose together.
      """,
    commands: [
      RecoveryCreateCommand.self, RecoveryListCommand.self, RecoveryTestCommand.self, RecoveryRestoreCommand.self,
      RecoveryRemoveCommand.self,
    ])
}
