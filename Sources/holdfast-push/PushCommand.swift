import CommandLine

/// The command line of `holdfast-push`, as data.
enum PushCommand {
  static let root = Command(
    PushProgram.name, "Wake signers that sleep, by a push, when an app asks",
    discussion: """
      Signers on phones register their device here. The proxy watches relays for requests to their keys, and sends each a push. It never \
      sees what is asked: requests are encrypted.

      Each option can also be given in the environment (--public-url as HOLDFAST_PUSH_PUBLIC_URL; several relays are separated with \
      spaces there, and 1 gives an option without a value) or in the file that --config names: one option a line, \
      "public-url https://push.example"; a line that begins with # is a comment. The command line comes first, then the environment, then the file.
      """,
    arguments: [
      Argument(
        PushMove.argument,
        "Instead of running: check tries the options, the storage and the relays; move-to-database and move-to-folder copy registrations "
          + "from --data to --database, or back",
        required: false,
        completion: .words([PushCheck.word] + PushMove.words))
    ],
    options: [
      .value("listen", "HOST:PORT", "Where the HTTP service listens (127.0.0.1:8087)"),
      .repeated("relay", "URL", "A relay that is asked for all keys, ws:// or wss://; may be given several times"),
      .value("public-url", "URL", "The address that apps use, https:// without a path; they sign it"),
      .value("public-relay", "URL", "The relay that /health offers to apps without one of their own"),
      .value("data", "DIR", "The folder of the registrations (./holdfast-push)", completion: .folder),
      .value("database", "URL", "Keep them in PostgreSQL instead, where proxies can share them: postgres://USER@HOST/DATABASE"),
      .value("database-password-file", "FILE", "The password of that user, alone in a file", completion: .file),
      .value("contact", "URL", "How push services reach you: mailto:… or https://… (the public URL)"),
      .value(
        "apns-host", "HOST:PORT",
        "Apple's service (api.push.apple.com:443); for apps in development api.sandbox.push.apple.com:443"),
      .value("apns-ca", "FILE", "Trust these certificates for it instead of the system's", completion: .file),
      .value("apns-key", "FILE", "The .p8 file of Apple's developer account", completion: .file),
      .value("apns-key-id", "ID", "The identifier of that key, ten letters and digits"),
      .value("apns-team-id", "ID", "The identifier of the developer's team, ten letters and digits"),
      .value("apns-topic", "ID", "The app's bundle id"),
      .value(
        "push-ca", "FILE", "Trust these certificates for Web Push and UnifiedPush services instead of the system's",
        completion: .file),
      .flag(
        "allow-private",
        "Allow relays and push services on this machine and inside private networks, and push services at other ports than 443"),
      .repeated("trusted-proxy", "ADDRESS", "A reverse proxy whose X-Forwarded-For is true; an address or a range"),
      .flag("no-metrics", "Do not answer /metrics"),
      .value("threads", "N", "Threads that check signatures (1); one checks about 15,000 a second"),
      .value("config", "FILE", "Options in a file", completion: .file),
      .flag("json", "Print one JSON line when the proxy is ready"),
      .flag("manual", "Print the manual page"), .flag("version", "Show the version"), .help,
    ],
    shared: [],
    examples: [
      Example(
        "holdfast-push --relay wss://relay.example --public-url https://push.example",
        "for Web Push and UnifiedPush, behind a proxy with TLS"),
      Example(
        "holdfast-push --relay wss://relay.example --public-url https://push.example --database postgres://push@db.example/push",
        "one of several proxies that share a database"),
      Example("holdfast-push check --config /etc/holdfast-push.conf", "whether a proxy with these options would work"),
    ])
}
