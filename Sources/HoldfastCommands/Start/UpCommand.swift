import CommandLine
import Daemon
import OwnerAPI
import OwnerOperations
import SecretMemory
import Signer
import TerminalUI
import Vault

/// `holdfast up`: runs until it is stopped.
func startSigner(_ invocation: Invocation) throws(CommandError) -> ExitCode {
  let asked = try usage(invocation) { () throws(UsageError) in try UpRequest(invocation) }
  var options = options(asked, home(invocation))
  options.isHomeNamed = invocation.has("home")
  if invocation.has("json") { options.isQuiet = true }
  let remarks = refusedMeasures.map { "The system refused to protect this process: \($0.rawValue)." }
  if !asked.isTrial && !Opening.hasVault(options.home) { throw .noVault(options.home) }
  if !asked.isTrial { try checkNoneRuns(options.home) }
  let isJSON = invocation.has("json")
  let show = { (ready: Ready) in
    if isJSON {
      _ = Output.line(ready.answer.json)
    } else {
      ready.show(invocation)
    }
  }
  let ending = try askingAgain(invocation) { (_: Bool) throws(CommandError) in
    let credential = asked.isTrial ? nil : StartCredential(try shownCredential(invocation))
    do throws(OperationError) {
      return try Daemon.run(options, credential: credential, remarks: remarks, ready: show)
    } catch { throw CommandError(error) }
  }
  if !isJSON { Output.line(ending == .trialWiped ? "Stopped; the trial vault was wiped." : "Stopped.") }
  return .done
}

/// A second signer on one home is refused before its passphrase is asked for.
private func checkNoneRuns(_ home: Home) throws(CommandError) {
  guard let process = try runningSigner(home) else { return }
  throw CommandError(OperationError(VaultError.inUse(pid: Int32(clamping: process))))
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
  if let trust = asked.trust { options.trust = trust }
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

  /// The same for people, with the next steps.
  fileprivate func show(_ line: Invocation) {
    let program = printable(CommandLine.arguments.first.flatMap { $0.contains("/") ? $0 : nil } ?? "holdfast", limit: 200)
    let named = SuggestedCommands(home: isTrial || line.has("home") ? home : nil)
    let command = named.text("holdfast up").replacing("holdfast", with: program, maxReplacements: 1).dropLast(" up".count)
    if isShut {
      Output.line("Holdfast is running, but locked down: no app is served.\n")
    } else if nextStart != nil {
      Output.line("\nThe trial is kept: Holdfast now runs on a vault of your own.\n")
    } else {
      Output.line("Holdfast is running\(isTrial ? " on trial: everything is wiped when it ends" : "").\n")
    }
    Output.line(
      """
      Identity  \(printable(identity))\(madeIdentity ? " (new)" : "")  \(npub)
      Relay     \(printable(relay))
      Console   \(signIn.map { printable($0, limit: 400) + "\n          (signs you in once, for ten minutes)" } ?? "\(command) console")
      Vault     \(printable(home))

      \(isShut ? nextWhenShut(String(command)) : nextStart.map(nextWhenKept) ?? (bunker == nil ? nextWhenUnsure(String(command)) : next(String(command))))
      Ctrl-C stops the signer.
      """)
    for remark in remarks { Output.warning("Note: " + named.text(printable(remark, limit: 600))) }
    if !isShut, nextStart == nil, let bunker { showLink(bunker, line) }
  }

  /// The link comes last, so that it is in sight on a small terminal.
  private func showLink(_ bunker: String, _ line: Invocation) {
    Output.line("")
    QRCodeOutput.show(bunker, isThisMachineOnly: isThisMachineOnly, line)
    Output.line(bunker)
  }

  /// Where the link works, and what to do for a phone.
  private var phone: String {
    guard isTrial else { return PairNewCommand.thisMachineOnly }
    return "It works for apps on this machine only. For a phone, stop this trial, then: holdfast up --trial --relay wss://…"
  }

  private func next(_ command: String) -> String {
    let link =
      "Next: give the link below to one app, where it asks for a bunker link. It works once; the app gets \(trust) trust."
    let reach = isThisMachineOnly ? " " + phone : ""
    return """
      \(link + reach)
        \(command) pair            another link
        \(command) client list     which apps are paired
        \(command) request list    what they are waiting for\(isTrial ? "\n  \(command) keep            keep all of this in a vault of your own" : "")
      """
  }

  private func nextWhenKept(_ start: String) -> String { "Next time, start it with: \(printable(start, limit: 4096))" }

  private func nextWhenUnsure(_ command: String) -> String {
    """
    Next: unlock the signer. It did not end properly last time. Until you unlock it, no app is served or paired.
      \(command) unlock
    """
  }

  private func nextWhenShut(_ command: String) -> String {
    """
    Next:
      \(command) unlock          to see what happened (the signer stays locked down)
      \(command) log show        what happened
      \(command) client list     which apps are paired, and which are paused
      \(command) resume          end the lockdown and serve apps again
    """
  }
}
