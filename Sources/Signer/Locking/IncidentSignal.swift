/// Something suspicious that a part of the daemon saw. It says what, never who: nothing of a stranger's gets into an incident.
package enum IncidentSignal: String, Sendable, CaseIterable {
  /// The record is not what was written.
  case logTampered = "the record was changed"
  /// A process of another user spoke on the control socket, which lies in a folder that only the owner may enter.
  case otherUser = "another user on the control socket"
  /// A wrong passphrase, given by an authenticated channel of the owner.
  case wrongPassphrase = "wrong passphrase"
  /// A request that was answered long before, sent again by a program on this machine.
  case replayHere = "an answered request sent again on this machine"
  /// The same, delivered by a relay.
  case replay = "an answered request sent again"
  /// A forged event in the name of a paired app, or for one of our keys.
  case forgery = "a forged event"
  /// A link that was spent, or is known to have been used.
  case spentLink = "a spent link tried again"
  /// More than an author may send.
  case flood = "too many events from one author"
  /// Somebody failed to sign in to the console.
  case signInFailed = "a failed sign-in"
  /// A passkey's counter went back: there may be a copy of it.
  case passkeyCounter = "a passkey's counter went back"
  /// Planned backups have failed several times in a row.
  case backupFailing = "backups fail"

  /// From how many within how many seconds it is critical; nil for never.
  ///
  /// What a stranger can bring about over the network is never critical, however often it comes: it would be a way to lock the
  /// owner out. It was refused already, and it is counted.
  var critical: (count: Int, seconds: Int64)? {
    switch self {
    case .logTampered, .otherUser: (1, 1)
    case .wrongPassphrase: (10, 3_600)
    // A page in the owner's browser is a program on this machine, too: with what a relay kept, it could send any number again.
    case .replayHere, .replay, .forgery, .spentLink, .flood, .signInFailed, .passkeyCounter, .backupFailing: nil
    }
  }

  /// One line for the owner when it is critical.
  var alarm: String {
    switch self {
    case .logTampered: "The record is not what was written: somebody changed it, or the disk is failing."
    case .otherUser: "A process of another user spoke on the signer's control socket."
    case .wrongPassphrase: "Many wrong passphrases in a short time."
    default: rawValue
    }
  }
}
