/// A reason why the signer does not work as it should. The name is for programs and tells nothing private; the sentence is for
/// the owner.
package enum Problem: String, Sendable, CaseIterable {
  case locked
  case suspended
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
    case .suspended: "Everything is shut: no app is served."
    case .vaultDamaged: "A record of the vault is damaged: nothing is signed, and nothing is changed in it."
    case .noRelay: "None of the relays that apps are reached by is connected."
    case .tooManyRequests:
      "Apps ask more than the signer takes: some requests were refused within the last minute."
    case .relayFull: "The embedded relay has all the connections it takes: idle strangers are closed, or apps turned away."
    case .connectionsShort: "Somebody holds so many connections, or so much of unfinished messages, that connections were closed."
    case .notRecording: "The record cannot be written: nothing is signed."
    case .diskNearlyFull: "The disk of the vault's folder is nearly full."
    case .clockImplausible: "This machine's clock cannot be right: apps' requests look too old or too new."
    case .backupFailing: "Planned backups fail."
    case .checkpointFailing: "The checkpoint of the log cannot be written."
    case .retentionFailing: "Old content of the log could not be dropped; that is tried again once a day."
    case .logHeadFailing: "The head of the log cannot be written: its last entries could be cut off, and nobody would notice."
    }
  }

  /// What to do.
  package var hint: String {
    switch self {
    case .locked: "Unlock it: holdfast unlock"
    case .suspended: "See what happened (holdfast unlock, then holdfast log show); to go on: holdfast resume"
    case .vaultDamaged: "See what is lost: holdfast doctor. To go on without it, stop the signer, then: holdfast vault repair"
    case .noRelay: "Look at the network, and at the relays' last words: holdfast status. They are tried again by themselves."
    case .relayFull: "See which programs hold connections, and end those that are not yours: ss -tnp"
    case .tooManyRequests:
      "See which app asks so much, and take it off if it should not: holdfast client list, holdfast client revoke NAME"
    case .connectionsShort: "See which programs or addresses hold connections, and end those that are not yours: ss -tnp"
    case .notRecording: "Look for a full or read-only disk: holdfast doctor"
    case .diskNearlyFull: "Make room; when the disk is full, nothing can be recorded and so nothing is signed."
    case .clockImplausible: "Set the clock; let the system keep it (timedatectl set-ntp true)."
    case .backupFailing: "See why: holdfast backup plan"
    case .checkpointFailing:
      "Look at the disk that --checkpoint names. Until it can be written again, an older home put back may go unnoticed."
    case .retentionFailing: "Do it by hand, which says what is in the way: holdfast log retain --keep DAYS"
    case .logHeadFailing:
      "Look at the folder “log” of the home: its disk must take new files, and “audit.head” must be one."
    }
  }
}
