import CommandLine
import Daemon
import OwnerAPI
import OwnerOperations
import OwnerWords
import Platform
import ResponseTexts
import SecretMemory
import Signer
import TerminalUI
import Vault

/// `holdfast up`: runs until it is stopped.
func startSigner(_ invocation: Invocation) throws(CommandError) -> ExitCode {
  let asked = try usage(invocation) { () throws(UsageError) in try UpRequest(invocation) }
  for option in ["tls-cert", "tls-key", "push-ca"] { try checkReadable(invocation.value(option)) }
  var options = options(asked, home(invocation))
  (options.isHomeNamed, options.isOnTerminal) = (invocation.has("home"), Terminal.isOutput)
  options.layOut = { broken($0, width: Terminal.columns(STDERR_FILENO)) }
  if invocation.has("json") { options.isQuiet = true }
  let remarks = refusedMeasures.map { "The system refused to protect this process: \($0.rawValue)." }
  if !asked.isTrial && !Opening.hasVault(options.home) { throw .noVault(options.home) }
  if !asked.isTrial {
    try checkNoneRuns(options.home)
    do throws(OperationError) { try options.checkPort() } catch { throw CommandError(error) }
  }
  let isJSON = invocation.has("json")
  let show = { (ready: Ready) in
    LingeringQuiet.end()
    if isJSON {
      _ = Output.line(ready.answer.json)
    } else if invocation.has("quiet") {
      StartScreen.showLinkAlone(ready)
    } else {
      StartScreen(ready, invocation).show()
    }
  }
  if !asked.isTrial { try sayLockdown(invocation, options.home) }
  options.beforeLoss = lossNotice
  let ending = try askingAgain(invocation) { (_: Bool) throws(CommandError) in
    let credential = asked.isTrial ? nil : StartCredential(try shownCredential(invocation))
    do throws(OperationError) {
      return try Daemon.run(options, credential: credential, remarks: remarks, ready: show)
    } catch { throw CommandError(error) }
  }
  if !isJSON, !invocation.has("quiet") { Output.line(ending == .trialWiped ? "Stopped; the trial vault was wiped." : "Stopped.") }
  return .done
}

/// A second signer on one home is refused before its passphrase is asked for.
private func checkNoneRuns(_ home: Home) throws(CommandError) {
  guard let process = try runningSigner(home) else { return }
  throw CommandError(OperationError(VaultError.inUse(pid: Int32(clamping: process))))
}

/// Whoever types the passphrase to serve apps knows before that none will be served. The vault may know of a lockdown that its folder does
/// not show; the start says that one once the vault is open.
private func sayLockdown(_ invocation: Invocation, _ home: Home) throws(CommandError) {
  guard Opening.isNextStartShut(home), try isPassphraseTyped(invocation) else { return }
  Output.warning(
    suggested(invocation).text(
      "Note: The signer was locked down and still will be after this start: no app is served. "
        + "To end the lockdown once it runs, in another terminal: holdfast resume"))
}

/// Warns at a terminal of what the end of a trial wipes. Nil without one, where nobody could read it and press the keys again.
private var lossNotice: (@Sendable (TrialLoss) -> Void)? {
  guard Terminal.isInput, Terminal.isOutput, Terminal.isError else { return nil }
  return { loss in Output.warning("\n" + lossText(loss)) }
}

/// What a trial's end would wipe, and how to keep it.
func lossText(_ loss: TrialLoss) -> String {
  let keys =
    "\(loss.identities.count == 1 ? "the key of" : "the keys of") \(loss.identities.map { "“\(foreign($0))”" }.joined(separator: ", "))"
  let apps = loss.apps == 0 ? "" : " and the pairing of \(loss.apps == 1 ? "one app" : "\(loss.apps) apps")"
  return SuggestedCommands(home: loss.home).text(
    "This trial is not kept: its end wipes \(keys)\(apps). To keep everything, in another terminal: holdfast keep\n"
      + "To end the trial and lose this: Ctrl-C again.")
}

/// The process of the signer that runs on a home; nil if none does.
func runningSigner(_ home: Home) throws(CommandError) -> Int64? {
  guard let status = try askDaemonWhole(StatusShow.call(Nothing()), home) else { return nil }
  return try StatusShow.answer(status).running?.process ?? 0
}

private func options(_ asked: UpRequest, _ home: Home) -> UpOptions {
  var options = UpOptions(home: home)
  (options.isTrial, options.restartingWords) = (asked.isTrial, asked.restartingWords)
  options.identity = asked.identity
  options.relays = asked.relays
  options.embeddedRelay = asked.embeddedRelay
  if let host = asked.host { options.host = host }
  options.port = asked.port
  options.trust = asked.trust
  options.localTrust = asked.localTrust
  (options.dbus, options.opensWindow, options.showsTray) = (asked.dbus, asked.opensWindow, asked.showsTray)
  options.metrics = asked.metrics
  options.authURL = asked.authURL
  options.isQuiet = asked.isQuiet
  if let desktop = asked.desktop { options.desktop = desktop }
  options.pushAllowsPrivate = asked.pushAllowsPrivate
  options.pushCertificates = asked.pushCertificates
  options.checkpoint = asked.checkpoint.map(absolute)
  if let contact = asked.pushContact { options.pushContact = contact }
  options.tls = asked.tls.map { ($0.certificate, $0.key) }
  options.consoleHosts = asked.consoleHosts
  options.trustedProxies = asked.trustedProxies
  return options
}

extension Ready {
  /// What scripts wait for.
  fileprivate var answer: SignerReady {
    var answer = SignerReady()
    (answer.bunker, answer.pubkey, answer.npub, answer.identity) = (bunker, pubkey, npub, identity)
    (answer.relay, answer.console, answer.process, answer.home) = (relay, console, Int64(processID()), home)
    (answer.trust, answer.isSuspended, answer.remarks, answer.signIn) = (trust, isShut, remarks, signIn)
    answer.isThisMachineOnly = isThisMachineOnly
    return answer
  }
}
