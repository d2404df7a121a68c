import CommandLine

/// `holdfast doctor`
enum DoctorCommand: ProgramCommand {
  static let place = Command(
    "doctor", "Check everything a signer needs, and say what to fix",
    discussion: """
      Checks the machine (clock, randomness, lockable memory, disk), the home and its permissions, every record of the vault, \
      the log and its checkpoint, and the running signer. Tests each relay by a round trip with a temporary key, and each \
      known kind of app by a session with a temporary signer. Changes nothing. The exit code is 1 if something is broken. \
      While a signer runs, no passphrase is needed.
      """,
    options: [
      .repeated("relay", "URL", "A relay to check in addition to those in use; may be given several times"),
      .value(
        "checkpoint", "FILE", "Compare the log with this checkpoint (default: the running signer's own)", completion: .file),
    ],
    examples: [
      Example("holdfast doctor", "checks everything"),
      Example("holdfast doctor --relay wss://relay.example.com", "is this relay good enough?"),
    ])

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode { try callDoctor(line) }
}
