import CommandLine

/// `holdfast doctor`
enum DoctorCommand: ProgramCommand {
  static let place = Command(
    "doctor", "Look for what is wrong, and say what to do",
    discussion: """
      Checks the machine (clock, randomness, memory that can be locked, disk), the folder and its permissions, every record of the \
      vault, the log, its checkpoint if one is kept, the running signer, each relay by a round trip with a throw-away key, and a session with each known kind of \
      app against a throw-away signer. Changes nothing. Exit code 1 when something is broken. While a signer runs no passphrase is \
      needed.
      """,
    options: [
      .repeated("relay", "URL", "A relay to look at besides those in use; may be given several times"),
      .value(
        "checkpoint", "FILE", "Compare the log with this checkpoint; a running signer names its own", completion: .file),
    ],
    examples: [
      Example("holdfast doctor", "everything"),
      Example("holdfast doctor --relay wss://relay.example.com", "would this relay do?"),
    ])

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode { try callDoctor(line) }
}
