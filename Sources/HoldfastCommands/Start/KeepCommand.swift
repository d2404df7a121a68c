import CommandLine
import CredentialOptions
import Encodings
import LocalAccess
import OwnerAPI
import OwnerOperations
import Platform
import ResponseTexts
import Signer
import TerminalUI

/// `holdfast keep`
enum KeepCommand: OwnerCommand {
  typealias Operation = TrialKeep

  static let place = Command(
    "keep", "Keep a trial: move it into a vault of your own",
    discussion: """
      Moves the keys, apps, rules and log of a running trial into a new vault, under a passphrase that you choose. The signer \
      restarts on that vault by itself. Apps stay paired and wait for a moment. If anything goes wrong, the trial goes on.

      If several trials run, --home or $HOLDFAST_HOME names the trial.
      """,
    options: [
      .value(
        "to", "DIR",
        "The folder of the new vault (default: $HOLDFAST_HOME if that is not the trial, else \(SharedOptions.usualHome))",
        completion: .folder),
      .value("new-passphrase-file", "FILE", "Read the new passphrase from a file", completion: .file),
    ], shared: [SharedOptions.home, SharedOptions.json, .help],
    examples: [
      Example("holdfast keep", "asks for a passphrase, and moves the running trial"),
      Example("holdfast keep --to /srv/holdfast", "moves it into that folder"),
    ])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> TrialKeep.Request { TrialKeep.Request() }

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    let trial = try trial(line)
    let kept = line.value("to").map { Home(absolute($0), kinds: .holdfast) } ?? .usual(kinds: .holdfast, besides: trial)
    // Before anything is asked.
    if Opening.hasVault(kept) { throw CommandError(OperationError(HomeMoving.Fault.hasVault, kept)) }
    try checkCanBeKept(trial)
    var request = TrialKeep.Request()
    request.home = kept.path
    request.newPassphrase = try NewPassphrase.read(
      "The new passphrase", of: line, question: "New passphrase (for the vault that is kept): ",
      stopped: "The trial goes on as before.")
    guard let result = try askDaemonWhole(TrialKeep.call(request), trial) else { throw .noTrialRuns }
    let answer = try TrialKeep.answer(result)
    try waitUntilKept(trial, Home(answer.home, kinds: .holdfast))
    guard !line.has("json") else { return Output.line(result.json) ? .done : .failed }
    let isUsual = answer.home == Home.usual(kinds: .holdfast, besides: trial).path
    let words = words(answer, SuggestedCommands(home: isUsual ? nil : answer.home))
    return Output.line(
      [words, browsers(answer.home), forgetting(trial, isUsual ? nil : answer.home)].compactMap { $0 }.joined(separator: "\n"))
      ? .done : .failed
  }

  static func text(_ answer: TrialKeep.Response, _ reader: Reader) -> String {
    words(answer, SuggestedCommands(home: nil))
  }

  /// - Parameter commands: names the new vault where it is not the usual one. The signer's own command names it already.
  static func words(_ answer: TrialKeep.Response, _ commands: SuggestedCommands) -> String {
    """
    The trial is kept. The signer now runs on your own vault at \(shown(answer.home, limit: 4096)).
    Next time, start it with: \(ours(answer.start, limit: 4096))
    In case you forget the passphrase or lose this machine, make a recovery kit and back up regularly:
      \(commands.text("holdfast recovery create"))
      \(commands.text("holdfast backup schedule --to /media/disk/backups"))
    """
  }

  /// Sites and links that asked the trial now ask the usual vault. For a vault in another folder, this says how they come to ask that.
  private static func browsers(_ kept: String) -> String? {
    guard access(TrialsVault.browserFolder, F_OK) == 0 else { return nil }
    guard kept != TrialsVault.usual else {
      return "Sites in your browser now ask this vault, or a later trial while one runs. To have them always ask this vault: "
        + "holdfast extension install --browser chromium"
    }
    let named = SuggestedCommands(home: kept)
    return named.text(
      """
      For sites in your browser, install the extension for this vault: holdfast extension install --browser chromium
      For links on your desktop: holdfast links install
      """)
  }

  /// What a terminal has to forget whose environment names the trial's folder, which is gone.
  /// - Parameter kept: the new vault's folder, where commands do not find it by themselves.
  private static func forgetting(_ trial: Home, _ kept: String?) -> String? {
    guard home(named: nil) == trial else { return nil }
    let command = kept.map { "export HOLDFAST_HOME=\(ShellWord.plainOrQuoted($0))" } ?? "unset HOLDFAST_HOME"
    return "This terminal still names the trial's folder. Type:\n  \(printable(command, limit: 4096))"
  }

  /// Nobody thinks of a passphrase for a signer that is no trial, or for a trial that cannot go on.
  private static func checkCanBeKept(_ trial: Home) throws(CommandError) {
    guard let result = try askDaemonWhole(StatusShow.call(Nothing()), trial) else { throw .noTrialRuns }
    let status = try StatusShow.answer(result)
    if !status.isTrial { throw CommandError(OperationError.noTrial) }
    if status.lock.isSuspended { throw CommandError(OperationError.trialIsShut) }
  }

  // MARK: finding the trial

  private static func trial(_ line: Invocation) throws(CommandError) -> Home {
    let named = home(line)
    if line.has("home") {
      guard ControlClient.isDaemonRunning(home: named.path) else { throw .noTrialRuns }
      return named
    }
    let running = TemporaryHome.runningTrials
    if running.contains(named) { return named }
    guard let first = running.first else {
      // It may be in another folder for temporary files.
      guard ControlClient.isDaemonRunning(home: named.path) else { throw .noTrialRuns }
      return named
    }
    guard running.count == 1 else {
      throw CommandError(
        .usage, "Several trials run: \(list(running.map(\.path))).", hint: "Name one: holdfast keep --home DIR")
    }
    return first
  }

  // MARK: waiting for the restart

  private static let longestRestart: Int64 = 60_000
  private static let pause: UInt32 = 100_000

  private static func waitUntilKept(_ trial: Home, _ kept: Home) throws(CommandError) {
    let end = Clock.bootMilliseconds + longestRestart
    var isGone = false
    while Clock.bootMilliseconds < end {
      if Opening.hasVault(kept), ControlClient.isDaemonRunning(home: kept.path) { return }
      let isRunning = ControlClient.isDaemonRunning(home: trial.path)
      if isGone && isRunning { throw .trialWentOn }
      if !isRunning { isGone = true }
      usleep(pause)
    }
    throw Opening.hasVault(kept) ? .keptButStopped(kept) : .trialWentOn
  }
}

extension CommandError {
  fileprivate static let noTrialRuns = CommandError(
    .notFound, "No trial runs here.", hint: "Start one: holdfast up --trial. If one runs, name its folder with --home.")
  fileprivate static let trialWentOn = CommandError(
    .failed, "The trial could not be moved, and goes on as before.", hint: "Its terminal says why.")
  fileprivate static func keptButStopped(_ home: Home) -> CommandError {
    CommandError(
      .failed, "The trial is kept at \(home.path), but the signer did not start there.", hint: "Its terminal says why.")
  }
}
