import CommandLine

/// `holdfast up`
enum UpCommand: ProgramCommand {
  static let place = Command(
    "up", "Start the signer",
    discussion: """
      Runs until Ctrl-C or SIGTERM, and finishes accepted requests first. Prints a bunker link for pairing an app. With --json \
      it prints one line when it is ready.

      --trial uses a new vault in a temporary folder, which is wiped when the signer ends.
      """,
    options: [
      .flag("trial", "Use a fresh vault that is wiped at the end"),
      SharedOptions.identity,
      .repeated("relay", "URL", "A relay to listen on, ws:// or wss://; may be given several times"),
      .flag("no-embedded-relay", "Do not run the built-in relay"),
      .value("listen", "HOST:PORT", "Where the built-in relay and the console listen (127.0.0.1:24133)"),
      .value("tls-cert", "FILE", "Serve with TLS: the certificate and those behind it, PEM", completion: .file),
      .value("tls-key", "FILE", "The certificate's private key, PEM, not encrypted", completion: .file),
      .repeated(
        "console-host", "NAME",
        "A further name by which browsers reach the console, or https://NAME behind a proxy that brings TLS"),
      .repeated(
        "trusted-proxy", "ADDRESS",
        "A proxy before the port, or a range (10.0.0.0/8), whose X-Forwarded-For tells addresses apart; it has to write one"),
      SharedOptions.trust("What a client that pairs by the printed link may do (medium)"),
      .value("auth-url", "URL", "Tell apps to show this address while a request waits: your console's, as their user reaches it"),
      .value(
        "desktop", "MODE", "Notifications on this desktop: answer shows what waits with buttons, show without, off (answer)",
        completion: .words(["answer", "show", "off"])),
      .value("push-contact", "URI", "How push services reach you, mailto: or https:; they may ask for it"),
      .flag("push-allow-private", "Send to push services inside your own network, and on any port, too"),
      .value("push-ca", "FILE", "Certificates (PEM) to check push services against instead of the system's", completion: .file),
      .value(
        "checkpoint", "FILE",
        "Keep the log's signed head there each minute, on another disk or machine, and refuse to start with an older home",
        completion: .file),
      .flag("metrics", "Show /metrics to other machines, too, if they reach the port"),
      .flag("quiet", letter: "q", "Say nothing while it runs"),
    ],
    examples: [
      Example("holdfast up --trial", "a signer to try out, gone when it ends"),
      Example("holdfast up --relay wss://relay.example.com", "listen on a public relay too"),
      Example("holdfast up --passphrase-file pass.txt --json", "for scripts: one line of JSON when ready"),
    ])

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode { try startSigner(line) }
}
