import CommandLine
import Encodings
import Identities
import JSON
import Platform
import RemoteSigning
import Signer
import Sockets
import TerminalUI
import Unlocking
import Vault
import Wake

/// `holdfast-wake`: reads which request is meant, has it answered, and says what became of it.
enum WakeProgram {
  static let name = "holdfast-wake"

  /// - Returns: the exit code.
  static func run(_ words: [String]) -> Int32 {
    do throws(CommandError) { return try start(words) } catch {
      if words.contains("--json") {
        Output.json(String(decoding: error.json.serialized(), as: UTF8.self))
      } else {
        Output.warning(error.text(from: name, width: Terminal.isError ? Terminal.columns(STDERR_FILENO) : 80))
      }
      return error.exit.rawValue
    }
  }

  private static func start(_ words: [String]) throws(CommandError) -> Int32 {
    let given = try parsed(words)
    if given.has("help") {
      let width = Terminal.isOutput ? Terminal.columns() : nil
      return code(Output.plain(HelpText.text(for: [], in: WakeCommand.root, terminal: width) ?? ""))
    }
    if given.has("manual") {
      return code(Output.plain(ManualPage.text(for: WakeCommand.root, version: Version.text, sections: [])))
    }
    if given.has("version") { return code(Output.plain("\(name) \(Version.text)")) }
    if given.has("check") { return try check(home(given), isJSON: given.has("json")) }
    let target = try target(given)
    signal(SIGPIPE, SIG_IGN)  // a relay that hangs up causes an error code
    let outcome = try answered(target, home(given))
    report(outcome, target, isJSON: given.has("json"))
    return outcome.exitCode
  }

  private static func code(_ isPrinted: Bool) -> Int32 { (isPrinted ? ExitCode.done : .failed).rawValue }

  private static func parsed(_ words: [String]) throws(CommandError) -> Invocation {
    do throws(UsageError) { return try ArgumentParser(root: WakeCommand.root).parse(words) } catch {
      throw CommandError(error, for: name, command: [])
    }
  }

  private static func home(_ given: Invocation) -> Home {
    let kinds = RecordKinds(adding: Identities.recordKinds + Store.recordKinds)
    return given.value("home").map { Home($0, kinds: kinds) } ?? .standard(kinds: kinds, environment: Terminal.environment)
  }

  private static func target(_ given: Invocation) throws(CommandError) -> WakeTarget {
    if let path = given.value("payload") {
      if let other = ["relay", "event"].first(where: { given.has($0) }) {
        throw CommandError(.exclude(option: "payload", other: other), for: name, command: [])
      }
      let payload = try BoundedFile.bytes(of: path, most: PushPayload.longest)
      do throws(PushPayloadError) { return try WakeTarget(payload: payload) } catch { throw CommandError(payload: error) }
    }
    guard let url = given.value("relay"), let id = given.value("event") else {
      throw CommandError(
        .usage, "No request is named. Give --relay URL and --event ID, or --payload FILE.", hint: "Try '\(name) --help'.")
    }
    return try wanted { () throws(PushPayloadError) in
      guard let relay = try? WebSocketURL(parsing: url) else { throw .relayMalformed }
      return WakeTarget(relay: relay, eventID: try PushPayload.id(id))
    }
  }

  private static func wanted(_ read: () throws(PushPayloadError) -> WakeTarget) throws(CommandError) -> WakeTarget {
    do throws(PushPayloadError) { return try read() } catch {
      throw CommandError(.usage, error.sentence, hint: "Try '\(name) --help'.")
    }
  }

  private static func answered(_ target: WakeTarget, _ home: Home) throws(CommandError) -> WakeOutcome {
    let opener = try opener(for: home)
    let began = Clock.monotonicMilliseconds
    while true {
      do { return try answered(target, OneShotSigner(home, opener, deadline: began + OneShotSigner.milliseconds)) } catch {
        guard VaultHolder.process(error) != nil else { throw CommandError(opening: error) }
        if let outcome = try HandOver.answered(target, home: home.path) { return outcome }
        // Another wake, or a command of the owner's, which are over soon.
        guard Clock.monotonicMilliseconds < began + patience else { throw CommandError(opening: error) }
        usleep(pause)
      }
    }
  }

  private static func opener(for home: Home) throws(CommandError) -> KeyringOpener {
    let opener = try WakeKey.opener()
    guard Opening.hasVault(home) else {
      throw CommandError(
        .notFound, "There is no vault at \(printable(home.path, limit: 300)).", hint: "Name its folder: --home DIR")
    }
    return opener
  }

  /// Opens the vault as a wake does, and says what it could use.
  private static func check(_ home: Home, isJSON: Bool) throws(CommandError) -> Int32 {
    let opener = try opener(for: home)
    let found: WakeCheck
    do {
      let signer = try OneShotSigner(home, opener, deadline: Clock.monotonicMilliseconds + OneShotSigner.milliseconds)
      found = WakeCheck(names: signer.usable, isInDoubt: signer.isInDoubt)
      signer.end()
    } catch {
      guard VaultHolder.process(error) != nil else { throw CommandError(opening: error) }
      throw CommandError(.failed, "A signer or another wake has this vault open, so nothing was checked.", hint: "Stop it first.")
    }
    if isJSON { Output.json(String(decoding: found.json.serialized(), as: UTF8.self)) } else { Output.plain(found.text) }
    return found.exit.rawValue
  }

  /// How long a vault that another program has open is waited for, in milliseconds.
  private static let patience: Int64 = 10_000
  /// In microseconds.
  private static let pause: UInt32 = 20_000

  private static func answered(_ target: WakeTarget, _ signer: OneShotSigner) -> WakeOutcome {
    defer { signer.end() }
    return signer.answer(target)
  }

  private static func report(_ outcome: WakeOutcome, _ target: WakeTarget, isJSON: Bool) {
    guard isJSON else {
      if outcome.exitCode != 0 { Output.warning("\(name): \(outcome.sentence)") }
      return
    }
    let line = JSONValue.object([
      .init("ok", .bool(outcome.exitCode == 0)), .init("exit", .integer(Int64(outcome.exitCode))),
      .init("outcome", .string(outcome.word)),
      .init("event", .string(target.eventID.hex)), .init("relay", .string(target.relay.text)),
    ])
    Output.json(String(decoding: line.serialized(), as: UTF8.self))
  }
}
