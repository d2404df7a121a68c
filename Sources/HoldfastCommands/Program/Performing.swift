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

/// Asks the daemon. If none runs, opens the vault.
func performWhole(_ request: ControlRequest, _ invocation: Invocation) throws(CommandError) -> ControlResult {
  let home = home(invocation)
  if invocation.has("without-keys") {
    return ControlResult(try checkLogHere(home, nil))
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
  case .failure(let exit, let error, let hint):
    throw CommandError(ExitCode(rawValue: Int32(clamping: exit)) ?? .failed, error, hint: hint ?? "")
  }
}

/// On a terminal, says that the signer is slow, so that nobody thinks the program hangs.
private let sayThatItWaits: @Sendable (Int32) -> Void = { process in
  if isatty(STDERR_FILENO) == 1 { Output.warning("Waiting for the signer (process \(process)) …") }
}

private func performLocally(
  _ request: ControlRequest, _ home: Home, _ invocation: Invocation
) throws(CommandError) -> ControlResult {
  guard Opening.hasVault(home) else { throw .noVault(home) }
  if request.operation == SignerPanic.properties.name { return try shutNextStart(home) }
  // Whoever needs this no longer has a passphrase.
  if request.operation == RecoveryRestore.properties.name, request.parameters["name"] == nil,
    let shares = request.secrets["shares"]
  {
    do throws(OperationError) {
      let session = try LocalSession(home: home, shares: shares, code: request.secrets["recovery_code"])
      defer { session.close() }
      return try session.perform(request)
    } catch { throw CommandError(error) }
  }
  let credential: ShownCredential
  // The credential was already read if the operation itself needs it. Shares that are tested or restored are no credential here.
  let secrets = takesShares.contains(request.operation) ? request.secrets.filter { $0.key != "shares" } : request.secrets
  if ShownCredential.isIn(request.parameters, secrets: secrets) {
    do throws(OperationError) {
      let isOneOfSeveral = request.operation == SlotRotate.properties.name || request.parameters["tpm"] != nil
      credential =
        isOneOfSeveral
        ? try ShownCredential.first(request.parameters, secrets: secrets)
        : try ShownCredential(request.parameters, secrets: secrets)
    } catch {
      throw CommandError(error)
    }
  } else {
    credential = try HoldfastCommands.credential(invocation)
  }
  // A log that may be damaged prevents a session, so this operation opens the home itself.
  if request.operation == LogVerify.properties.name { return ControlResult(try checkLogHere(home, credential)) }
  do throws(OperationError) {
    // The same holds here.
    if request.operation == LogRenew.properties.name {
      return ControlResult(try Opening.renewLog(home: home, credential: credential))
    }
    // The same holds for a vault that may be older than the log knows.
    if request.operation == VaultCheck.properties.name {
      return ControlResult(try Opening.checkVault(home: home, credential: credential))
    }
    if request.operation == VaultAccept.properties.name {
      return ControlResult(try Opening.acceptVault(home: home, credential: credential))
    }
    if request.operation == VaultRepair.properties.name {
      let isPlan = request.parameters["plan"]?.bool == true
      return ControlResult(try Opening.repairVault(home: home, credential: credential, isPlan: isPlan))
    }
    let session = try LocalSession(home: home, credential: credential)
    defer { session.close() }
    return try session.perform(request)
  } catch { throw CommandError(error) }
}

/// Without a signer there is nothing to wipe, but the next start must be locked down.
private func shutNextStart(_ home: Home) throws(CommandError) -> ControlResult {
  do throws(OperationError) { try Opening.suspendNextStart(home: home) } catch { throw CommandError(error) }
  return ["running": false, "locked": true, "suspended": true, "stored": true, "failures": []]
}

/// Operations that work on shares. There, shares are no credential.
private let takesShares = [RecoveryTest.properties.name, RecoveryRestore.properties.name]

extension ControlResult {
  /// A sentence about the vault's damage, if it was opened for viewing only. Nil for an intact vault.
  var damage: String? { self["vault_damaged"]?.string }
}

/// Prints a text for people. Its commands get the home that was named.
func printLine(_ text: String, _ line: Invocation) -> ExitCode { Output.line(suggested(line).text(text)) ? .done : .failed }

/// Reads a secret. If it cannot be read, throws an error with the command's words.
/// - Parameter what: names the secret, as the subject of a sentence.
func secret(_ what: String, _ read: () throws(SecretInputError) -> SecretBytes) throws(CommandError) -> SecretBox {
  do { return SecretBox(try read()) } catch { throw CommandError(error, what: what) }
}
