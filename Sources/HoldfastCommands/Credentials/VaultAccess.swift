import Ciphers
import CommandLine
import CredentialOptions
import Daemon
import Encodings
import LocalAccess
import OwnerAPI
import OwnerOperations
import OwnerWords
import Platform
import ResponseTexts
import SecretMemory
import Signer
import TerminalUI

/// The vault's folder, as named by the command line or the environment.
func home(_ invocation: Invocation) -> Home { home(named: invocation.value("home")) }

/// - Parameter path: the folder that the command line names; nil for the one that the environment names.
func home(named path: String?) -> Home {
  let home = path.map { Home(absolute($0), kinds: .holdfast) } ?? .standard(kinds: .holdfast, environment: Terminal.environment)
  return home.waiting(milliseconds: patienceWithOthers)
}

/// How long a command waits for a vault that a wake or another command has open, in milliseconds.
private let patienceWithOthers: Int64 = 10_000

/// Adds this command's home to the commands in a text for the owner.
func suggested(_ invocation: Invocation) -> SuggestedCommands {
  SuggestedCommands(home: invocation.value("into") ?? invocation.value("home"))
}

func passphraseSource(_ invocation: Invocation) throws(CommandError) -> PassphraseSource {
  try usage(invocation) { () throws(UsageError) in
    try PassphraseSource(invocation, credentials: Terminal.environment("CREDENTIALS_DIRECTORY")) { access($0, R_OK) == 0 }
  }
}

/// Reads the credential that opens this home's vault. The options name its kind and its source.
/// - Throws: if the home has no vault, before anything is asked.
func credential(_ line: Invocation) throws(CommandError) -> Credential {
  try checkHasVault(line)
  try checkIsNoTrial(line)
  return try namedCredential(line)
}

/// Throws an error in a trial, so that nobody is asked for a passphrase that nobody knows. One that was killed while it was being kept may
/// have left a vault with the chosen passphrase.
func checkIsNoTrial(_ line: Invocation) throws(CommandError) {
  let home = home(line)
  guard TemporaryHome.isOne(home), ControlClient.isDaemonRunning(home: home.path) else { return }
  throw CommandError(OperationError.trialHasNoPassphrase)
}

/// Throws an error if this home has no vault, so that nobody is asked for a passphrase that opens nothing.
func checkHasVault(_ line: Invocation) throws(CommandError) {
  let home = home(line)
  guard !Opening.hasVault(home), !ControlClient.isDaemonRunning(home: home.path) else { return }
  try credentialSources(line)
  throw .noVault(home)
}

/// Reads the credential that the options name. It may open a backup as well as this home's vault, so the home may have no vault.
func namedCredential(_ line: Invocation) throws(CommandError) -> Credential {
  let sources = try credentialSources(line)
  var credential = Credential()
  for source in sources {
    do { try source.read(into: &credential, loginFile: line.value("login-file"), for: "the vault at \(home(line).path)") } catch {
      throw CommandError(error, what: source.name, option: source.fileOption, opens: true)
    }
  }
  return credential
}

/// Where the options say that the credential comes from. Reads nothing, and refuses options that exclude each other.
@discardableResult
func credentialSources(_ line: Invocation) throws(CommandError) -> [CredentialSource] {
  let credentials = Terminal.environment("CREDENTIALS_DIRECTORY")
  return try usage(line) { () throws(UsageError) in
    guard line.path == ["slot", "rotate"] else {
      return [try CredentialSource(line, credentials: credentials) { access($0, R_OK) == 0 }]
    }
    return try CredentialSource.all(line, credentials: credentials) { access($0, R_OK) == 0 }
  }
}

/// The same, for a vault that the command opens itself.
func shownCredential(_ line: Invocation) throws(CommandError) -> ShownCredential {
  let shown = try credential(line)
  do throws(OperationError) { return try ShownCredential(shown) } catch { throw CommandError(error) }
}

/// Reads the credential and opens the vault with it once, so that a wrong passphrase is noticed, and asked for again, before more is typed.
/// - Parameter look: a read-only operation.
/// - Returns: the credential, and the result of the operation.
func triedCredential(
  _ line: Invocation, _ look: ControlRequest
) throws(CommandError) -> (Credential, ControlResult) {
  try askingAgain(line) { (_: Bool) throws(CommandError) in
    let typed = try credential(line)
    do throws(OperationError) {
      let session = try LocalSession(home: home(line), credential: try ShownCredential(typed))
      defer { session.close() }
      return (typed, try session.perform(look))
    } catch { throw CommandError(error) }
  }
}

/// What somebody reads before they choose the passphrase of a vault.
private let aboutThePassphrase = """
  The passphrase opens the vault, and nobody can recover it for you. Use four or more random words, at least \
  \(PassphraseRemark.fewBytes) characters.
  """

/// `holdfast init`
func createVault(_ invocation: Invocation) throws(CommandError) -> ExitCode {
  let home = home(invocation)
  let mebibytes = try usage(invocation) { () throws(UsageError) in
    try invocation.integer("kdf-memory", in: Int64(Argon2id.Cost.floor.memory >> 20)...Int64(Argon2id.Cost.ceiling.memory >> 20))
  }
  let source = try passphraseSource(invocation)
  if let fault = CommandError.homeIsNoFolder(home) { throw fault }
  if Opening.hasVault(home) {
    throw CommandError(
      .failed, "There is already a vault at \(home.path). Nothing was changed.",
      hint: "Name another folder with --home. To change this vault's passphrase: holdfast slot passphrase")
  }
  if source == .terminal, Terminal.isInput, !invocation.has("json") { Output.warning(aboutThePassphrase) }
  let passphrase: SecretBytes
  do { passphrase = try source == .terminal ? NewPassphrase.ask(stopped: "Nothing was created.") : source.read() } catch {
    throw CommandError(error, what: "The passphrase", option: "passphrase-file")
  }
  let remark = passphrase.withBytes { PassphraseRemark.text(for: $0) }
  let kept: [String]
  do throws(OperationError) {
    kept = try Opening.makeVault(home: home, passphrase: passphrase, cost: mebibytes.map { cost(mebibytes: Int($0)) })
  } catch { throw CommandError(error).naming(home.path, if: "The vault could not be") }
  if invocation.has("json") {
    var made = HomeMade()
    (made.home, made.remark, made.kept) = (home.path, remark, kept.isEmpty ? nil : kept)
    Output.line(made.json)
  } else {
    let next = suggested(invocation).text(
      "Next: holdfast up, which makes an identity. To bring a key that you have: holdfast identity import NAME")
    let kit = suggested(invocation).text(
      "After that, make a recovery kit, in case you forget the passphrase: holdfast recovery create")
    Output.line("Made a vault at \(printable(home.path)).\n\(next)\n\(kit)")
    if !kept.isEmpty {
      Output.warning(
        "Note: the folder already had a device.key. The new vault made its own; the old one is kept as "
          + "\(kept.joined(separator: ", ")), because another vault may need it.")
    }
    // At the terminal, the person has already read and answered this.
    if let remark, source != .terminal { Output.warning("Note: " + remark) }
  }
  return .done
}

/// The fewest passes over that much memory. The range was checked with the command line.
private func cost(mebibytes: Int) -> Argon2id.Cost {
  (try? Argon2id.Cost(memory: mebibytes << 20, passes: Argon2id.Cost.floor.passes)) ?? .floor
}

extension UsageError {
  /// A value that the operation would refuse.
  static func refused(_ failure: OperationError) -> UsageError {
    .refused(sentence: failure.error, hint: failure.hint ?? "")
  }
}

extension TemporaryHome {
  /// The trials of this user that run on this machine.
  static var runningTrials: [Home] { trials(kinds: .holdfast).filter { ControlClient.isDaemonRunning(home: $0.path) } }
}

/// What a browser or a desktop starts for a trial: it names no folder, so that nobody can put another in the trial's place.
enum TrialsVault {
  static let option = CommandOption.flag("trial", "Use the newest trial that runs, or else the usual vault")

  /// The home of such a command line.
  static func home(_ line: Invocation) -> Home {
    guard line.has(option.name) else { return HoldfastCommands.home(line) }
    func made(_ home: Home) -> Int {
      var about = stat()
      return stat(home.path, &about) == 0 ? about.st_ctim.tv_sec : 0
    }
    if let newest = TemporaryHome.runningTrials.max(by: { made($0) < made($1) }) { return newest }
    let named = HoldfastCommands.home(line)
    return TemporaryHome.isOne(named) ? .usual(kinds: .holdfast, besides: named) : named
  }

  /// The folder of the user's own vault, whatever `HOLDFAST_HOME` says.
  static var usual: String { FilePath.usualHome { $0 == "HOLDFAST_HOME" ? nil : Terminal.environment($0) } }

  /// Where the browser's files of trials are.
  static var browserFolder: String { usual + "-browser" }
}

extension CommandError {
  /// The error of a module below.
  init(_ failure: OperationError) {
    self.init(ExitCode(rawValue: Int32(failure.exit.rawValue)) ?? .failed, failure.error, hint: failure.hint ?? "")
    tryAgainIn = failure.tryAgainIn
  }

  /// Nil for a folder, and where nothing is.
  static func homeIsNoFolder(_ home: Home) -> CommandError? {
    guard access(home.path, F_OK) == 0, !isFolder(home.path) else { return nil }
    return CommandError(.usage, "\(printable(home.path)) is a file, not a folder.", hint: "Name the vault's folder with --home.")
  }

  static func noVault(_ home: Home) -> CommandError {
    homeIsNoFolder(home) ?? vaultIsElsewhere(home)
      ?? CommandError(
        .notFound, "There is no vault at \(home.path).",
        hint: "Make one with 'holdfast init', name another home with --home, or try 'holdfast up --trial'.")
  }

  /// What somebody means who names a home without a vault: a trial that runs, or the vault that a trial became. Nil for neither.
  static func vaultIsElsewhere(_ home: Home) -> CommandError? {
    let usual = Home.usual(kinds: .holdfast, besides: home)
    // A trial's folder is gone after it was kept, but the terminal where it was tried still names it.
    if usual != home, home == HoldfastCommands.home(named: nil), Opening.hasVault(usual) {
      return CommandError(
        .notFound, "There is no vault at \(home.path), which HOLDFAST_HOME names. There is one at \(usual.path).",
        hint: "To use that one, type: unset HOLDFAST_HOME. To make a new one at \(home.path): holdfast init")
    }
    let trials = TemporaryHome.runningTrials.map { ShellWord.plainOrQuoted($0.path) }
    guard !trials.isEmpty else { return nil }
    return CommandError(
      .notFound,
      "There is no vault at \(home.path). \(trials.count == 1 ? "A trial runs" : "Trials run") in another folder.",
      hint:
        "Make a vault with 'holdfast init'. To use \(trials.count == 1 ? "the trial" : "a trial"), name its folder: --home \(trials.joined(separator: ", or: --home "))"
    )
  }
}
