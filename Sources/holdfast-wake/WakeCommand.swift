import CommandLine

/// The command line of `holdfast-wake`, as data.
enum WakeCommand {
  static let root = Command(
    WakeProgram.name, "Answer one request and end: a signer for devices that sleep",
    discussion: """
      A push tells that an app asks. This program opens the vault, takes the request from the push or fetches it from its relay, applies your \
      rules, answers on that relay, and ends. It asks nobody: what your rules do not allow waits for you, as ever.

      The vault is opened by its keyring slot: with the systemd credential \(WakeKey.credentialName) if there is one, else with the desktop's \
      keyring. If a signer runs on the vault, that one answers.

      Exit codes: 0 answered, 1 failed, 2 wrong command line, 3 locked, 4 denied or waiting for you, 5 no such request, vault or file, 6 not for an app or by a relay of this vault, 7 taken before.
      """,
    options: [
      .value(
        "home", "DIR", "The folder of the vault (default: $HOLDFAST_HOME, else $XDG_DATA_HOME/holdfast, ~/.local/share/holdfast)",
        completion: .folder),
      .value("relay", "URL", "The relay that has the request"),
      .value("event", "ID", "The request's id, 64 hex digits"),
      .value(
        "payload", "FILE", "The push as it came, JSON, instead of --relay and --event; - for standard input", completion: .file),
      .flag("check", "Only open the vault, and say which identities it can use"),
      .flag("json", "Print one line of JSON: what was done"),
      .flag("manual", "Print the manual page"),
      .flag("version", "Show the version"),
    ],
    shared: [.help],
    examples: [
      Example("holdfast-wake --relay wss://relay.example.com --event 3f2a…", "answer this request"),
      Example("holdfast-wake --payload push.json --json", "answer what a push tells of"),
      Example("holdfast-wake --check", "try whether the keyring or the credential opens the vault"),
    ])
}
