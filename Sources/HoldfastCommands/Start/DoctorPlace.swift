import CommandLine

/// `holdfast doctor`
enum DoctorCommand: ProgramCommand {
  static let place = Command(
    "doctor", "Look for what is wrong, and say what to do",
    discussion: """
      Checks the machine (clock, randomness, lockable memory, disk), the home and its permissions, every record of the vault, \
      the log and its checkpoint, and the running signer. Tests each relay by a round trip with a temporary key, and each \
      known kind of app by a session with a temporary signer. Changes nothing. The exit code is 1 if something is broken. \
      While a signer runs, no passphrase is needed.
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
