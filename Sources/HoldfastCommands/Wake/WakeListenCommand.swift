import CommandLine
import Encodings
import JSON
import Platform
import Signer
import Sockets
import TerminalUI
import WakeListening

/// `holdfast wake listen`
enum WakeListenCommand: ProgramCommand {
  /// The usual place, where no other program of ours listens.
  static let usualPlace = "\(usualHost):\(usualPort)"
  private static let usualHost = "127.0.0.1"
  private static let usualPort: UInt16 = 24135

  static let place = Command(
    "listen", "Receive pushes and wake the signer for each",
    discussion: """
      Receives encrypted messages (Web Push, RFC 8291) at the address of 'holdfast wake subscription', and starts holdfast-wake for each, \
      one at a time. It opens no vault. It speaks plain HTTP: put a reverse proxy with TLS in front, which passes the path and the body on \
      unchanged, or have a push distributor on this machine post to it.

      An app whose only relay is the signer's own cannot wake it, because that relay ends with the signer: pair it with \
      'holdfast pair --relay'.

      A push is answered once it is on the disk, and its wake is tried for a minute. With a systemd socket, it listens there.

      Ctrl-C ends it, after the wake that runs.
      """,
    options: [
      .value("listen", "HOST:PORT", "Where to listen (\(usualPlace))"),
      .repeated("trusted-proxy", "ADDRESS", "A reverse proxy whose X-Forwarded-For is true; an address or a range"),
      .value("idle", "SECONDS", "End when no wake was needed for so long; a systemd socket starts it again"),
      .value("program", "FILE", "The program to start (holdfast-wake beside this one)", completion: .file),
    ],
    shared: [SharedOptions.home, SharedOptions.json, .help],
    examples: [
      Example("holdfast wake listen", "receive at \(usualPlace)"),
      Example("holdfast wake listen --listen 127.0.0.1:9000 --json", "another port, and one line of JSON for each wake"),
    ])

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    try checkHasVault(line)
    let idle = try usage(line) { () throws(UsageError) in try line.integer("idle", in: 1...86_400) }
    var options = Listener.Options(try listeningPlace(line))
    options.proxies = try proxies(line)
    let command = try [program(line)] + ["--home", home(line).path]
    let signals = AwaitedSignals(AwaitedSignals.ending)
    signals.hold()
    signal(SIGPIPE, SIG_IGN)  // a peer that hangs up causes an error code
    let isJSON = line.has("json")
    let isInDoubt = Locked(false)
    let listener: WakeListener
    do throws(WakeListeningError) {
      listener = try WakeListener(folder: home(line).path, at: options, command: command) { run in
        show(run, isJSON: isJSON)
        let wasInDoubt = isInDoubt.withLock { isInDoubt in
          defer { isInDoubt = run.outcome == "in-doubt" }
          return isInDoubt
        }
        if run.outcome == "in-doubt", !wasInDoubt { Output.warning(unclean) }
      }
    } catch { throw CommandError(error) }
    guard greet(options.place, listener.port, isJSON: isJSON) else { return .failed }
    wait(signals, listener, idle)
    listener.stop()
    return .done
  }

  private static func wait(_ signals: AwaitedSignals, _ listener: WakeListener, _ idle: Int64?) {
    guard let idle else { return _ = signals.wait() }
    while true {
      let left = listener.idleTime.map { idle * 1_000 - $0 } ?? idle * 1_000
      if left <= 0 || signals.wait(milliseconds: Int(clamping: max(left, 100))) != nil { return }
    }
  }

  /// Said once, however many requests come meanwhile.
  private static let unclean =
    "The signer did not end properly. No request is answered until you unlock the vault once: holdfast up, then Ctrl-C"

  // MARK: what the command line says

  private static func listeningPlace(_ line: Invocation) throws(CommandError) -> Listener.Options.Place {
    if let given = line.value("listen") {
      guard let place = Listener.Options.Place(hostAndPort: given) else {
        throw CommandError(.usage, "--listen takes HOST:PORT, for example \(usualPlace) or [::1]:24135.")
      }
      return place
    }
    if let socket = PassedSocket.first { return .inherited(descriptor: socket) }
    return .tcp(host: usualHost, port: usualPort)
  }

  private static func proxies(_ line: Invocation) throws(CommandError) -> [AddressRange] {
    try line.values("trusted-proxy").map { text throws(CommandError) in
      guard let range = AddressRange(parsing: text) else {
        throw CommandError(.usage, "--trusted-proxy takes an IP address, or a range such as 10.0.0.0/8.")
      }
      return range
    }
  }

  private static func program(_ line: Invocation) throws(CommandError) -> String {
    let path: String
    if let named = line.value("program") {
      path = named
    } else {
      path = FilePath.folder(of: try thisProgram()) + "/holdfast-wake"
    }
    guard access(path, X_OK) == 0 else {
      throw CommandError(
        .notFound, "There is no program \(printable(path, limit: 300)).",
        hint: "Install holdfast-wake beside holdfast, or name it: --program FILE")
    }
    return path
  }

  // MARK: what is printed

  private static func greet(_ place: Listener.Options.Place, _ port: UInt16, isJSON: Bool) -> Bool {
    if isJSON {
      let ready: JSONValue = ["ok": true, "listening": true, "port": .integer(Int64(port))]
      return Output.line(ready)
    }
    let address: String =
      switch place {
      case .tcp(let host, _): "\(host.contains(":") ? "[\(host)]" : host):\(port)"
      default: "the socket that systemd passed"
      }
    return Output.line("Receiving pushes at \(address). To see what to register: holdfast wake subscription")
  }

  private static func show(_ run: WakeRun, isJSON: Bool) {
    let outcome = WakeOutcomeWord(run)
    if isJSON {
      let value: JSONValue = [
        "event": .string(run.request.hex), "exit": run.exit.map { .integer(Int64($0)) } ?? .null,
        "outcome": .string(outcome.word),
        "over": .bool(run.isOver),
      ]
      Output.line(value)
    } else {
      Output.line("\(run.request.hex.prefix(16))…  \(outcome.sentence)\(run.isOver ? "" : " It is tried again.")")
    }
  }
}

/// What the exit code of `holdfast-wake` means.
private struct WakeOutcomeWord {
  let word: String
  let sentence: String

  init(_ run: WakeRun) {
    (word, sentence) =
      switch run.exit {
      case 0 where run.outcome == "signed": ("done", "Answered.")
      case 0 where run.outcome == "handed-over": ("done", "Handed to the signer that runs, which answers by its rules.")
      case 0: ("done", "Done.")
      case 1 where run.outcome == "unreachable": ("failed", "The relay could not be reached.")
      case 1 where run.outcome == "not-taken": ("failed", "No relay confirmed the answer.")
      case 1 where run.outcome == "not-recorded": ("failed", "The vault's log could not be written: holdfast doctor")
      case 1 where run.outcome == "dropped": ("failed", "The request is forged, malformed or too old.")
      case 1: ("failed", "The wake failed.")
      case 3 where run.outcome == "in-doubt": ("locked", "Not answered, because the signer did not end properly.")
      case 3: ("locked", "The vault or the key is locked. To see why: holdfast-wake --check")
      case 4: ("denied", "Your rules denied it, or it waits for you: holdfast request list")
      case 5: ("not-found", "Its relay does not have the request.")
      case 6 where run.outcome == "unknown-relay": ("not-ours", "No app that it can be for uses that relay.")
      case 6: ("not-ours", "It is not for an app of this vault.")
      case 7: ("seen", "It was taken before.")
      case nil: ("stopped", "The wake did not start, or did not end in time.")
      default: ("refused", "The push names no request that can be fetched.")
      }
  }
}
