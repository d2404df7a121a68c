import CommandLine
import TerminalUI

extension Command {
  /// The whole of `holdfast`: every command, option and example.
  static let holdfast = Command(
    "holdfast", "Keep Nostr keys in one place and sign from there",
    discussion: """
      Apps ask, your rules answer, the key never moves.

      Start with 'holdfast up --trial' to try it, or 'holdfast init' and 'holdfast up' to keep it. Most commands talk to the \
      running daemon; when none runs they open the vault themselves and ask for its passphrase.
      """,
    options: [.flag("version", letter: "V", "Show the version")],
    verbs: [
      start, create, console, status, doctor, identity, pair, client, policy, request, push, log, sign, lock, unlock, panic,
      resume,
    ] + [vault] + slotVerbs + recoveryVerbs + guardianVerbs + backupVerbs + sessionVerbs + [completions, manual, contract])

  private static let create = Command(
    "init", "Create a vault",
    discussion: """
      The passphrase protects every key in the vault. It is asked for twice on the terminal, or read from a file or descriptor. \
      Nobody can recover it for you.
      """,
    options: [
      .value("kdf-memory", "MIB", "Memory that one guess of the passphrase costs, in MiB (else calibrated to about 0.7 s)")
    ],
    shared: SharedOptions.newVault,
    examples: [
      Example("holdfast init", "asks for a new passphrase and creates the vault"),
      Example("holdfast init --home /srv/holdfast --passphrase-file pass.txt", "the same without questions"),
    ])

  private static let start = Command(
    "up", "Start the signer",
    discussion: """
      Runs until it is stopped by Ctrl-C or SIGTERM; what was accepted is finished first. Prints a bunker link that an app can \
      pair by. With --json it prints one line when it is ready.

      --trial uses a fresh vault in a temporary folder, which is wiped when the signer ends.
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
      Example("holdfast up --relay wss://relay.example.com", "listen on a relay too"),
      Example("holdfast up --passphrase-file pass.txt --json", "for scripts: one line of JSON when ready"),
    ])

  private static let console = Command(
    "console", "Open the console in a browser",
    discussion: """
      Prints a link that signs in once, within ten minutes; on a terminal its QR code too. Needs the running signer. Once you \
      are in, add a passkey: then the browser signs in without a link.
      """,
    options: [.flag("open", "Open the link in this desktop's browser")],
    examples: [
      Example("holdfast console", "print a sign-in link"), Example("holdfast console --open", "open the console"),
    ])

  private static let status = Command("status", "Show what the daemon is doing")

  private static let doctor = Command(
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

  private static let lock = Command(
    "lock", "Lock your keys away; apps wait until you unlock",
    discussion: """
      Wipes your keys from the running signer's memory. Apps stay paired: what they ask meanwhile waits, and goes on by itself \
      after 'holdfast unlock' when your rules allow it.
      """)

  private static let unlock = Command(
    "unlock", "Unlock your keys with the vault's passphrase, or another way to open it",
    discussion: """
      What only waited for this goes on by itself. After wrong passphrases the next attempt has to wait; a token counts wrong PINs \
      itself, and locks itself after a few.
      """,
    examples: [
      Example("holdfast unlock", "asks for the passphrase"),
      Example("holdfast unlock --token", "asks for the token's PIN"),
      Example("holdfast unlock --shares-file shares.txt", "by enough shares of the recovery kit"),
    ])

  private static let panic = Command(
    "panic", "Shut everything at once",
    discussion: """
      Asks nothing. Suspends every permission, wipes your keys from memory, ends all console sessions and records it, in well \
      under a second. It holds over restarts, until 'holdfast resume'. When no signer runs, the next start is shut.
      """)

  private static let resume = Command(
    "resume", "Go on after 'panic' or an incident, with the vault's passphrase",
    discussion: """
      First 'holdfast unlock': it opens the log and lets you change things, while every use of a key asks you. Look at 'holdfast log \
      show' and 'holdfast client list', and revoke what you do not know. Then this lets your permissions hold again.
      """)

  private static let sign = Command(
    "sign", "Sign an event given on standard input",
    discussion: """
      Reads an unsigned event as JSON (kind, content, and as you like tags, created_at) and prints the signed one. This is you \
      at the keyboard: no client's rules apply. An event dated more than 15 minutes ahead is refused without --date-ahead: relays \
      keep it over all that you sign until then.
      """,
    options: [
      SharedOptions.identity, .flag("date-ahead", "Sign also an event that is dated more than 15 minutes ahead"),
    ],
    examples: [Example(#"echo '{"kind":1,"content":"hello"}' | holdfast sign"#, "prints the signed event")])

  private static let pair = Command(
    "pair", "Make a link for an app, or accept an app's link",
    discussion: """
      Without URI: prints a new bunker:// link, and its QR code on a terminal. A link works once. With URI: accepts the \
      nostrconnect:// link that an app shows; '-' reads it from standard input.
      """,
    arguments: [Argument("uri", "The nostrconnect:// link of an app, or - for standard input", required: false)],
    options: [
      SharedOptions.identity, SharedOptions.trust("What the app may do: \(SharedOptions.trustMeaning) (medium)"),
      .repeated("relay", "URL", "A relay to put into the new link instead of the daemon's own"),
      .value("expires", "TIME", "How long the new link can be used, as 15m, 2h or 7d"),
      .flag(
        "local-relay", "The relays of the app's link may be on this machine or in your network, also where a name leads there"),
    ],
    examples: [
      Example("holdfast pair", "a link for an app that asks for a bunker link"),
      Example("holdfast pair --trust low 'nostrconnect://…'", "accept an app's link; everything it wants will be asked"),
    ])

  private static let completions = Command(
    "completions", "Print the completions for a shell",
    arguments: [Argument("shell", "bash, zsh or fish", completion: .words(["bash", "zsh", "fish"]))],
    shared: SharedOptions.helpOnly,
    examples: [
      Example("source <(holdfast completions bash)", "for this shell"),
      Example("holdfast completions fish > ~/.config/fish/completions/holdfast.fish", "for every fish shell"),
    ])

  private static let contract = Command(
    "api", "Print every operation with what it takes and answers, for programs that ask the signer",
    options: [.flag("json", "As JSON instead of Markdown")], shared: SharedOptions.helpOnly,
    examples: [Example("holdfast api --json", "for a program that makes its calls from it")])

  private static let manual = Command(
    "man", "Print the manual page", shared: SharedOptions.helpOnly, examples: [Example("holdfast man | man -l -", "read it")])
}
