import CommandLine
import LocalAccess
import OwnerAPI
import Platform
import ResponseTexts
import Signer
import Sockets
import TerminalUI

/// `holdfast stop`
enum StopCommand: ProgramCommand {
  static let place = Command(
    "stop", "End the running signer, and wait until it has ended",
    discussion: """
      The signer finishes accepted requests first. Apps stay paired. What they ask meanwhile waits at their relays if those keep it. The \
      signer's own relay ends with the signer, so apps that know only that one cannot ask meanwhile. If no \
      signer runs, it says so, and the exit code is 1. A trial is wiped when its signer ends, so it asks first; without a \
      terminal that needs --yes.

      If systemd started the signer, it may start it again. To stop it for good: systemctl --user stop holdfast
      """,
    options: [SharedOptions.yes], shared: [SharedOptions.home, SharedOptions.json, .help],
    examples: [Example("holdfast stop", "ends the signer; to start it again: holdfast up")])

  /// How long the end may take, in milliseconds: as long as systemd waits by our unit.
  private static let patience: Int64 = 30_000
  private static let pause: UInt32 = 20_000
  /// A signer that does not answer soon is ended without a question.
  private static let longestLook = 2000

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    let home = home(line)
    guard let id = try process(home) else { throw try noSigner(home) }
    try confirmEnd(home, line)
    var stopped = SignerStopped()
    (stopped.home, stopped.process, stopped.unit) = (home.path, Int64(id), SystemdUnit(of: id)?.name)
    try end(id, home)
    guard !line.has("json") else { return Output.line(stopped.json) ? .done : .failed }
    return printLine(text(stopped), line)
  }

  static func text(_ stopped: SignerStopped) -> String {
    let done = "The signer (process \(stopped.process)) has ended."
    guard let unit = stopped.unit else { return done }
    return "\(done)\nsystemd started it, and may start it again. To stop it for good: \(SystemdUnit(name: unit).stopping)"
  }

  private static func process(_ home: Home) throws(CommandError) -> Int32? {
    do { return try ControlClient.process(home: home.path) } catch .noDaemon { return nil } catch {
      throw CommandError(daemon: error)
    }
  }

  private static func noSigner(_ home: Home) throws(CommandError) -> CommandError {
    if !Opening.hasVault(home), let other = CommandError.vaultIsElsewhere(home) { return other }
    return CommandError(.failed, "No signer runs on this home.", hint: "To see its state: holdfast status")
  }

  /// The end of a trial is final.
  private static func confirmEnd(_ home: Home, _ line: Invocation) throws(CommandError) {
    guard let result = try? askDaemonWhole(StatusShow.call(Nothing()), home, timeout: longestLook),
      let status = try? StatusShow.answer(result), status.isTrial
    else { return }
    try checkCanConfirm(line)
    try confirm("This is a trial: its keys and apps are wiped when it ends. To keep them: holdfast keep. Stop it?", line)
  }

  /// Asks the process to end, and waits until it has.
  private static func end(_ id: Int32, _ home: Home) throws(CommandError) {
    let held = PeerProcess(id: id)
    // It is still the one that serves this home, so its number means no other process.
    guard try process(home) == id else { return }
    guard kill(id, SIGTERM) == 0 || errno == ESRCH else {
      throw CommandError(
        .denied, "The signer (process \(id)) could not be ended: \(systemMessage(errno)).", hint: "Run the command as its user.")
    }
    let end = Clock.monotonicMilliseconds + patience
    while held.map(\.isAlive) ?? (kill(id, 0) == 0 && ControlClient.isDaemonRunning(home: home.path)) {
      guard Clock.monotonicMilliseconds < end else {
        throw CommandError(
          .failed, "The signer (process \(id)) was told to end, and has not ended within \(patience / 1000) s.",
          hint: "It may still finish what it accepted. To see: holdfast status")
      }
      usleep(pause)
    }
  }
}

/// The unit by which systemd started a process.
struct SystemdUnit: Equatable {
  let name: String

  init(name: String) { self.name = name }

  /// - Returns: nil for a process that systemd did not start itself, such as one of a terminal.
  init?(of process: Int32) {
    guard let status = Self.read("/proc/\(process)/status"), let parent = Self.parent(inStatus: status),
      Self.read("/proc/\(parent)/comm") == "systemd\n", let groups = Self.read("/proc/\(process)/cgroup")
    else { return nil }
    self.init(inGroups: groups)
  }

  /// - Parameter groups: the text of `/proc/PID/cgroup`.
  init?(inGroups groups: String) {
    let last = groups.split(separator: "\n").last { $0.hasPrefix("0::") || $0.contains("name=systemd") }
    guard let name = last?.split(separator: "/").last, name.hasSuffix(".service") else { return nil }
    self.init(name: String(name))
  }

  static func parent(inStatus status: String) -> Int32? {
    status.split(separator: "\n").first { $0.hasPrefix("PPid:") }?.split(separator: "\t").last.flatMap { Int32($0) }
  }

  /// The command that stops it. A user's own unit is named without its ending, as people type it.
  var stopping: String { "systemctl --user stop \(shown(String(name.dropLast(".service".count))))" }

  private static func read(_ path: String) -> String? {
    FileSystem.read(path, limit: 8192).map { String(decoding: $0, as: UTF8.self) }
  }
}
