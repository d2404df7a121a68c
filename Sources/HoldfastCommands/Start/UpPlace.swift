import CommandLine
import ResponseTexts

/// `holdfast up`
enum UpCommand: ProgramCommand {
  static let place = Command(
    "up", "Start the signer",
    discussion: """
      Runs until Ctrl-C or SIGTERM, and finishes accepted requests first. Prints a bunker link for pairing an app. With --json \
      it prints one line when it is ready.

      --trial uses a new vault in a temporary folder, which is wiped when the signer ends. 'holdfast keep' moves it into a vault \
      of your own before that. At a terminal, the first Ctrl-C says what would be lost, if the trial was used, and the second one \
      ends it.
      """,
    options: [
      .flag("trial", "Use a new vault that is wiped at the end"),
      SharedOptions.identity,
      .repeated("relay", "URL", "A relay to listen on, ws:// or wss://; may be given several times"),
      .flag("no-embedded-relay", "Do not run the built-in relay"),
      .value("listen", "HOST:PORT", "Where the built-in relay and the console listen (the one named last, else 127.0.0.1:24133)"),
      .value("tls-cert", "FILE", "Serve with TLS: the certificate and its chain, PEM", completion: .file),
      .value("tls-key", "FILE", "The certificate's private key, PEM, not encrypted", completion: .file),
      .repeated(
        "console-host", "NAME",
        "Another name by which browsers reach the console, or https://NAME behind a TLS proxy; may be given several times"),
      .repeated(
        "trusted-proxy", "ADDRESS",
        "A proxy in front of the port, as an address or a range such as 10.0.0.0/8. It must set X-Forwarded-For, which then tells clients apart"
      ),
      SharedOptions.trust("The trust of the app that pairs by the printed link (default: see 'holdfast policy show')"),
      QRCodeOutput.option,
      .value(
        "local-trust", "LEVEL",
        "What programs on this machine may do that ask for the first time (without it, you are asked; sites and links always ask)",
        completion: .words(SharedOptions.trustLevels)),
      .flag("no-dbus", "Offer no service on the session bus to programs on this machine"),
      .value("auth-url", "URL", "The console's address for apps to show their user while a request waits"),
      .value(
        "desktop", "MODE", "Notifications on this desktop: answer (with buttons), show (without) or off (answer)",
        completion: .words(["answer", "show", "off"])),
      .flag("tray", "Show an icon with a menu in the desktop's panel"),
      .flag("consent-window", "Open a window with the approvals when a program, site or link on this machine asks"),
      .value("push-contact", "URI", "A mailto: or https: address by which push services can reach you"),
      .flag("push-allow-private", "Allow push services inside your own network and on any port"),
      .value("push-ca", "FILE", "Trust these certificates (PEM) for push services instead of the system's", completion: .file),
      .value(
        "checkpoint", "FILE",
        "Write the log's signed head to this file each minute, on another disk or machine, and refuse to start with an older home",
        completion: .file),
      .flag("metrics", "Allow other machines that reach the port to read /metrics"),
      .flag("quiet", "Print only the link for an app, and errors"),
    ],
    groups: [
      CommandGroup("Options", ["trial", "identity", "trust", "qr", "quiet", "json", "home", "help"]),
      CommandGroup(
        "Relays and addresses", ["relay", "no-embedded-relay", "listen", "tls-cert", "tls-key", "console-host", "trusted-proxy"]),
      CommandGroup("Programs on this machine", ["local-trust", "no-dbus", "desktop", "tray", "consent-window"]),
      CommandGroup("For operators", ["auth-url", "push-contact", "push-allow-private", "push-ca", "checkpoint", "metrics"]),
    ],
    examples: [
      Example("holdfast up --trial", "a trial signer that is wiped when it ends"),
      Example("holdfast up --relay wss://relay.example.com", "also listen on a public relay"),
      Example("holdfast up --passphrase-file pass.txt --json", "for scripts: one line of JSON when ready"),
    ])

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode { try startSigner(line) }
}
