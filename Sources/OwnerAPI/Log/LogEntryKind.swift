/// The type of a log entry. The comments explain the entry's `rule` and `amount` when they are not obvious.
public enum LogEntryKind: String, Word {
  /// A request was decided. Written before anything is signed.
  case requestDecided
  /// The outcome of a request that was allowed.
  case requestDone
  case paired, unpaired, linkMade, grantChanged
  case identityCreated, identityImported, identityRenamed, identityDeleted
  /// `rule` is the format.
  case keyExported
  case vaultOpened, vaultOpenFailed
  case daemonStarted, daemonStopped
  case replayRefused, floodRefused
  /// An unfinished entry at the end of the log was cut off when the log was opened. `amount` is its length in bytes.
  case recovered
  case identityDefaultChanged
  case unlocked
  /// `rule` says why.
  case locked
  /// `rule` names the setting.
  case settingChanged
  /// Somebody signed in to the console. `rule` says how.
  case signedIn
  case signInFailed
  /// A sign-in to the console ended. `rule` says why.
  case sessionEnded
  case passkeyAdded, passkeyRemoved
  /// Something suspicious was counted. `rule` names it, and `amount` is how often.
  case incidentMinor
  /// Everything was suspended. `rule` says why.
  case incidentCritical
  /// The owner ended the suspension that a critical incident began.
  case incidentEnded
  /// A request ended without an answer.
  case requestDropped
  /// A link that was used up, expired or wrong was tried.
  case linkRefused
  case notificationSubscribed, notificationUnsubscribed
  /// The content of old entries was dropped. `amount` is the number of entries.
  case entriesRedacted
  /// `rule` names the type of the slot.
  case slotAdded
  case slotRemoved
  case slotTested
  case passphraseChanged, classKeysRotated
  /// With `identity` for that one only, otherwise for the vault.
  case recoveryCreated
  case recoveryTested, recoveryRestored
  case backupMade, backupVerified, backupRestored
  /// Something about an identity other than its key was changed.
  case identityChanged
  /// `identity` is the old one.
  case identityRotated
  case successionSigned
  /// A guardian was given a share.
  case guardianAdded
  /// The owner of a share that is kept here, or somebody else, requested it.
  case guardianAsked
  /// A requested share is given back from now on.
  case guardianReleased
  /// A requested share is not given back.
  case guardianCancelled
  /// The set of fingers enrolled on this machine changed. `rule` says how.
  case biometryChanged
  /// A guardian, or a share that was kept here, was removed.
  case guardianRemoved
  /// A share may be given back when its waiting time is over.
  case guardianAllowed
  /// A share is kept here for somebody from now on.
  case shareKept
  /// A recovery kit got another request code.
  case requestCodeChanged
  /// The vault was older than the log knew, and the owner accepted it. `amount` is its revision.
  case vaultAccepted
  /// Further requests of an app within a minute that use no key. `amount` is their number.
  case requestsGathered
  /// Further logins of an identity at a relay within an hour. `amount` is their number.
  case loginsGathered
}
