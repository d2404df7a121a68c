/// Something suspicious that a part of the daemon noticed. It says what happened, never who did it: nothing that a stranger sent
/// gets into an incident.
package enum IncidentSignal: String, Sendable, CaseIterable {
  /// The log is not what was written.
  case logTampered = "the record was changed"
  /// A process of another user connected to the control socket, which is in a folder that only the owner may enter.
  case otherUser = "another user on the control socket"
  /// A wrong passphrase over an authenticated channel of the owner.
  case wrongPassphrase = "wrong passphrase"
  /// A request that was answered long ago, sent again by a program on this machine.
  case replayHere = "an answered request sent again on this machine"
  /// The same, at the embedded relay, which other machines reach.
  case replay = "an answered request sent again"
  /// A forged event in the name of a paired app, or for one of our keys.
  case forgery = "a forged event"
  /// A link that is used up or known to have been used.
  case spentLink = "a spent link tried again"
  /// More events than one author may send.
  case flood = "too many events from one author"
  /// A sign-in link was opened a second time, in a browser that is not signed in. Mostly it is the owner's own.
  case usedSignInLink = "a sign-in link that was used already"
  /// Somebody failed to sign in to the console.
  case signInFailed = "a failed sign-in"
  /// A passkey's counter went back: there may be a copy of it.
  case passkeyCounter = "a passkey's counter went back"
  /// A browser asked for the script of a service worker that is not the console's.
  case foreignWorker = "a page of another program in a browser, at the signer's address"
  /// Planned backups have failed several times in a row.
  case backupFailing = "backups fail"

  /// How many signals within how many seconds are critical; nil for never.
  ///
  /// What a stranger can cause over the network is never critical, however often it happens: otherwise strangers could lock the
  /// owner out. It has already been refused, and it is counted.
  var critical: (count: Int, seconds: Int64)? {
    switch self {
    case .logTampered, .otherUser: (1, 1)
    case .wrongPassphrase: (10, 3_600)
    // A page in the owner's browser is a program on this machine, too. It could send again any number of events that a relay
    // stored.
    case .replayHere, .replay, .forgery, .spentLink, .flood, .usedSignInLink, .signInFailed, .passkeyCounter, .foreignWorker,
      .backupFailing:
      nil
    }
  }

  /// How many signals, for how many seconds, may be the owner's own mistakes: they are held back, and forgiven when the owner proves
  /// meanwhile, at the same place, who is there. Nil for a signal that is told at once.
  var mistakes: (count: Int, seconds: Int64)? { self == .wrongPassphrase ? (2, 600) : nil }

  /// One line for the owner when it is critical.
  var alarm: String {
    switch self {
    case .logTampered: "The log is not as it was written: somebody changed it, or the disk is failing."
    case .otherUser: "A process of another user used the signer's control socket."
    case .wrongPassphrase: "Many wrong passphrases in a short time."
    default: rawValue
    }
  }
}
