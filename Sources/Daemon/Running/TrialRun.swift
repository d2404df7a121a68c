import Ciphers
import Encodings
import OwnerAPI
import OwnerOperations
import OwnerWords
import Platform
import SecretMemory
import Signer
import Unlocking
import Vault

/// A trial: a new vault in a temporary folder, which is wiped at the end. When the owner keeps it, the signer stops, its files move
/// into the owner's home, and it starts again there. A backup that the owner restores in it becomes that home instead, and the trial is
/// wiped.
struct TrialRun {
  private var options: UpOptions
  private let folder: Home

  init(_ options: UpOptions) throws(OperationError) {
    guard let folder = TemporaryHome.make(kinds: options.home.kinds) else {
      throw .failed(
        "The folder for temporary files cannot be written.", hint: "Name another folder: TMPDIR=FOLDER holdfast up --trial")
    }
    (self.options, self.folder) = (options, folder)
  }

  /// Runs until the process is asked to end.
  consuming func run(_ remarks: [String], _ ready: (Ready) -> Void) throws(OperationError) -> Daemon.Ending {
    var (home, remarks): (OpenedHome, [String]) = (try made(), remarks)
    // Once the owner has chosen a passphrase, the folder is theirs: only an orderly end wipes it.
    var isOwners = false
    while true {
      let served: Daemon.Served
      do throws(OperationError) { served = try Daemon.serve(options, home, remarks: remarks, ready: ready) } catch {
        guard !isOwners else { throw stays(error) }
        TemporaryHome.wipe(folder)
        throw error
      }
      guard let move = served.move else {
        TemporaryHome.wipe(folder)
        return .trialWiped
      }
      (options.port, options.signInToken) = (served.port, move.signInToken)
      if move.isRestored { return try leave(for: move, served, ready) }
      isOwners = true
      do throws(HomeMoving.Fault) { try HomeMoving.move(folder, to: move.home.path) } catch {
        let error = OperationError(error, move.home)
        (home, remarks) = (try goneOn(move, isEnd: served.isEnd, error), ["The trial is not kept. \(error.error)"])
        continue
      }
      return try leave(for: move, served, ready)
    }
  }

  /// Wipes the trial, and goes on in the owner's home.
  private func leave(
    for move: TrialKeeping.Move, _ served: Daemon.Served, _ ready: (Ready) -> Void
  ) throws(OperationError) -> Daemon.Ending {
    TemporaryHome.wipe(folder)
    if !served.isEnd { try serve(move, ready) }
    return .stopped
  }

  private func made() throws(OperationError) -> OpenedHome {
    do {
      let random = SecretBox(try SecretBytes(randomCount: 32))
      let vault = try Vault.create(home: folder.path, passphrase: random.duplicate(), cost: .floor, kinds: folder.kinds)
      let home = try Opening.open(home: folder, vault: vault, isTrial: true)
      home.sessionLock.trialPassphrase.change { $0 = random }
      return home
    } catch {
      TemporaryHome.wipe(folder)
      throw OperationError(error)
    }
  }

  /// Opens the trial again that could not be moved. From now on its passphrase is the owner's, so its folder is not wiped when that fails.
  private func goneOn(
    _ move: TrialKeeping.Move, isEnd: Bool, _ why: OperationError
  ) throws(OperationError) -> OpenedHome {
    guard !isEnd, let passphrase = move.takePassphrase() else { throw stays(why) }
    do {
      let home = try Opening.open(home: folder, vault: try Opening.vault(folder, PassphraseOpener(passphrase)), isTrial: true)
      // After a lockdown, nobody but the owner opens it.
      guard !home.sessionLock.isSuspended else { throw stays(why) }
      home.sessionLock.trialPassphrase.change { $0 = passphrase }
      return home
    } catch { throw stays(why) }
  }

  private func stays(_ error: OperationError) -> OperationError {
    OperationError(
      error.exit, error.error,
      hint: "The trial's vault is still there. Your new passphrase opens it: holdfast up --home \(folder.path)")
  }

  /// Serves the vault that was kept or restored.
  private func serve(_ move: TrialKeeping.Move, _ ready: (Ready) -> Void) throws(OperationError) {
    var kept = options
    (kept.isTrial, kept.home, kept.isHomeNamed) = (false, move.home, !Self.isUsual(move.home))
    let credential = move.takePassphrase().map { StartCredential(ShownCredential(passphrase: $0)) }
    let home = try Daemon.open(move.home, credential)
    let next = Self.command(options, port: options.port, move.home)
    _ = try Daemon.serve(kept, home, remarks: [], nextStart: next, ready: ready)
  }

  // MARK: the next start

  /// The command that starts a kept trial next time. Apps know the signer's port, so it is named unless it is the usual one.
  static func command(_ options: UpOptions, _ hub: RelayHub) -> @Sendable (Home) -> String {
    { [endpoint = hub.endpoint] home in command(options, port: endpoint.port, home) }
  }

  private static func command(_ options: UpOptions, port: UInt16?, _ home: Home) -> String {
    var words = options.restartingWords
    let port = port ?? UpOptions.usualPort
    if port != UpOptions.usualPort || options.host != UpOptions(home: home).host {
      words += ["--listen", options.host.contains(":") ? "[\(options.host)]:\(port)" : "\(options.host):\(port)"]
    }
    // A fresh terminal need not have the signer's `HOLDFAST_HOME`.
    if !home.isUsual { words += ["--home", home.path] }
    return (["holdfast", "up"] + words.map(ShellWord.plainOrQuoted)).joined(separator: " ")
  }

  private static func isUsual(_ home: Home) -> Bool { home == .usual(kinds: home.kinds) }
}
