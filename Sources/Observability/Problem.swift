/// A reason why the signer does not work as it should. The name is for programs and tells nothing private; the sentence is for
/// the owner.
package enum Problem: String, Sendable, CaseIterable {
  case suspended
  case locked
  case vaultDamaged = "vault-damaged"
  case noRelay = "no-relay"
  case relayFull = "relay-full"
  case tooManyRequests = "too-many-requests"
  case connectionsShort = "connections-short"
  case notRecording = "not-recording"
  case diskNearlyFull = "disk-nearly-full"
  case clockImplausible = "clock-implausible"
  case backupFailing = "backup-failing"
  case checkpointFailing = "checkpoint-failing"
  case retentionFailing = "retention-failing"
  case logHeadFailing = "log-head-failing"

  /// What it means.
  package var text: String {
    switch self {
    case .locked: "The signer is locked: requests that need a key wait."
    case .suspended: "The signer is locked down: no app is served."
    case .vaultDamaged: "A record of the vault is damaged: nothing is signed, and the vault is not changed."
    case .noRelay: "None of the relays that connect to apps is connected."
    case .tooManyRequests:
      "Apps send more requests than the signer accepts: some were refused within the last minute."
    case .relayFull: "The built-in relay has no free connections: idle strangers are closed, or apps are refused."
    case .connectionsShort: "Somebody holds too many connections or unfinished messages, so connections were closed."
    case .notRecording: "The log cannot be written: nothing is signed."
    case .diskNearlyFull: "The disk of the vault's folder is nearly full."
    case .clockImplausible: "This machine's clock is wrong: requests from apps look too old or too new."
    case .backupFailing: "Scheduled backups fail."
    case .checkpointFailing: "The checkpoint of the log cannot be written."
    case .retentionFailing: "Old content of the log could not be deleted. Holdfast tries again each day."
    case .logHeadFailing: "The head of the log cannot be written: somebody could cut off the last entries unnoticed."
    }
  }

  /// What it means now: in a lockdown, an unlocked signer asks for each use of a key, and a locked one serves nobody.
  package func text(isLocked: Bool) -> String {
    self == .suspended && !isLocked ? "The signer is locked down: every use of a key asks you." : text
  }

  /// What to do now. Nobody is told to unlock what is unlocked.
  package func hint(isLocked: Bool) -> String {
    self == .suspended && !isLocked
      ? "To see what happened: holdfast log show. To end the lockdown: holdfast resume" : hint
  }

  /// What to do.
  package var hint: String {
    switch self {
    case .locked: "Unlock it: holdfast unlock"
    case .suspended: "To see what happened: holdfast unlock, then holdfast log show. To end the lockdown: holdfast resume"
    case .vaultDamaged:
      "To see what is lost: holdfast doctor. To continue without it, stop the signer, then: holdfast vault repair"
    case .noRelay: "Check the network, and the relays' last messages: holdfast status. Holdfast keeps trying to connect."
    case .relayFull: "To see which programs hold connections: ss -tnp. End those that are not yours."
    case .tooManyRequests:
      "To see which app asks so much: holdfast client list. To stop it: holdfast client revoke NAME"
    case .connectionsShort: "To see which programs or addresses hold connections: ss -tnp. End those that are not yours."
    case .notRecording: "Check whether the disk is full or read-only: holdfast doctor"
    case .diskNearlyFull: "Free some space. When the disk is full, the log cannot be written, so nothing is signed."
    case .clockImplausible: "Set the clock, and let the system keep it right: timedatectl set-ntp true"
    case .backupFailing: "To see why: holdfast backup plan"
    case .checkpointFailing:
      "Check the disk that --checkpoint names. Until it can be written again, an older copy of the home may go unnoticed."
    case .retentionFailing: "To see the error, do it by hand: holdfast log retain --keep DAYS"
    case .logHeadFailing:
      "Check the folder “log” of the home: its disk must accept new files, and “audit.head” must be a file."
    }
  }
}
