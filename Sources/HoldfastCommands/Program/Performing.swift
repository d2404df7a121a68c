import CommandLine
import Daemon
import JSON
import LocalAccess
import OwnerAPI
import OwnerOperations
import Platform
import SecretMemory
import Signer
import TerminalUI

/// Asks the daemon. If none runs, opens the vault. A passphrase that was typed wrongly is asked for again.
/// - Parameter opened: what the passphrase in the request opens.
func performWhole(
  _ request: ControlRequest, _ invocation: Invocation, opening opened: String = "the vault"
) throws(CommandError) -> ControlResult {
  try askingAgain(invocation) { (again: Bool) throws(CommandError) in
    try performOnce(again ? try request.withPassphraseTypedAgain(for: opened) : request, invocation)
  }
}

/// The same without asking again.
func performOnce(_ request: ControlRequest, _ invocation: Invocation) throws(CommandError) -> ControlResult {
  let home = home(invocation)
  if invocation.has("without-keys") {
    return try checkLogHere(home, nil)
  }
  let result: ControlResult
  if request.operation == LogVerify.properties.name, let asked = try askForLogCheck(home) {
    result = asked
  } else if let asked = try askDaemonWhole(request, home) {
    result = asked
  } else {
    result = try performLocally(request, home, invocation)
  }
  if let damage = result.damage {
    Output.warning(
      suggested(invocation).text(
        "Note: \(damage) The output shows only what is whole. To repair the vault: holdfast vault repair"))
  }
  return result
}

/// - Returns: nil if no daemon runs.
func askDaemonWhole(
  _ request: ControlRequest, _ home: Home, timeout: Int = 60_000
) throws(CommandError) -> ControlResult? {
  let response: ControlResponse
  do {
    response = try ControlClient.call(home: home.path, request, timeout: timeout, onSilence: sayThatItWaits)
  } catch .noDaemon { return nil } catch {
    throw CommandError(daemon: error)
  }
  switch response {
  case .success(let result): return result
  case .failure(let exit, let error, let hint, let tryAgainIn, _, _):
    var error = CommandError(ExitCode(rawValue: Int32(clamping: exit)) ?? .failed, error, hint: hint ?? "")
    error.tryAgainIn = tryAgainIn
    throw error
  }
}

/// On a terminal, says that the signer is slow, so that nobody thinks the program hangs.
private let sayThatItWaits: @Sendable (Int32) -> Void = { process in
  if isatty(STDERR_FILENO) == 1 { Output.warning("The signer (process \(process)) has not answered yet. Waiting for it …") }
}

private func performLocally(
  _ request: ControlRequest, _ home: Home, _ invocation: Invocation
) throws(CommandError) -> ControlResult {
  guard Opening.hasVault(home) else { throw .noVault(home) }
  if request.operation == SignerPanic.properties.name { return try shutNextStart(home) }
  if let shares = sharesThatOpen(request) {
    return try perform(request, home) { () throws(OperationError) in
      try LocalSession(home: home, shares: shares, code: request.secrets["recovery_code"])
    }
  }
  let credential = try shownCredential(request, invocation)
  if let result = try performOnDamaged(request, home, credential) { return result }
  return try perform(request, home) { () throws(OperationError) in try LocalSession(home: home, credential: credential) }
}

private func perform(
  _ request: ControlRequest, _ home: Home, _ open: () throws(OperationError) -> LocalSession
) throws(CommandError) -> ControlResult {
  do throws(OperationError) {
    let session = try open()
    defer { session.close() }
    return try session.perform(request)
  } catch { throw CommandError(error) }
}

/// Shares that restore the vault itself: whoever needs this has no passphrase any more.
private func sharesThatOpen(_ request: ControlRequest) -> SecretBox? {
  guard request.operation == RecoveryRestore.properties.name, request.parameters["name"] == nil else { return nil }
  return request.secrets["shares"]
}

/// What opens the vault: what the request brings, because it was asked for already; else what the options say.
private func shownCredential(_ request: ControlRequest, _ invocation: Invocation) throws(CommandError) -> ShownCredential {
  // Shares that are tested or restored are no credential here.
  let secrets = takesShares.contains(request.operation) ? request.secrets.filter { $0.key != "shares" } : request.secrets
  guard ShownCredential.isIn(request.parameters, secrets: secrets) else { return try shownCredential(invocation) }
  let isOneOfSeveral = request.operation == SlotRotate.properties.name || request.parameters["tpm"] != nil
  do throws(OperationError) {
    return isOneOfSeveral
      ? try ShownCredential.first(request.parameters, secrets: secrets)
      : try ShownCredential(request.parameters, secrets: secrets)
  } catch { throw CommandError(error) }
}

/// Operations on a log that may be damaged, or a vault that is or may be older than the log knows: no session would open it.
/// - Returns: nil for all other operations.
private func performOnDamaged(
  _ request: ControlRequest, _ home: Home, _ credential: ShownCredential
) throws(CommandError) -> ControlResult? {
  if request.operation == LogVerify.properties.name { return try checkLogHere(home, credential) }
  do throws(OperationError) {
    switch request.operation {
    case LogRenew.properties.name: return LogRenew.result(try Opening.renewLog(home: home, credential: credential))
    case VaultCheck.properties.name: return VaultCheck.result(try Opening.checkVault(home: home, credential: credential))
    case VaultAccept.properties.name: return VaultAccept.result(try Opening.acceptVault(home: home, credential: credential))
    case VaultRepair.properties.name:
      let isPlan = request.parameters["plan"]?.bool == true
      return VaultRepair.result(try Opening.repairVault(home: home, credential: credential, isPlan: isPlan))
    default: return nil
    }
  } catch { throw CommandError(error) }
}

/// Without a signer there is nothing to wipe, but the next start must be locked down.
private func shutNextStart(_ home: Home) throws(CommandError) -> ControlResult {
  do throws(OperationError) { try Opening.suspendNextStart(home: home) } catch { throw CommandError(error) }
  var response = SignerPanic.Response()
  (response.isRunning, response.isStored) = (false, true)
  (response.lock.isLocked, response.lock.isSuspended) = (true, true)
  return SignerPanic.result(response)
}

/// Operations that work on shares. There, shares are no credential.
private let takesShares = [RecoveryTest.properties.name, RecoveryRestore.properties.name]

extension ControlResult {
  /// A sentence about the vault's damage, if it was opened for viewing only. Nil for an intact vault.
  var damage: String? { self["vault_damaged"]?.string }
}

/// Prints a text for people. Its commands get the home that was named.
func printLine(_ text: String, _ line: Invocation) -> ExitCode { Output.line(suggested(line).text(text)) ? .done : .failed }
