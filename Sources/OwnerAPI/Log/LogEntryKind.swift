/// What an entry of the log tells. The comments say what stands in the entry's `rule` and `amount`, where that is not plain.
public enum LogEntryKind: String, Word {
  /// A request was decided. Written before anything is signed.
  case requestDecided
  /// What became of a request that had been allowed.
  case requestDone
  case paired, unpaired, linkMade, grantChanged
  case identityCreated, identityImported, identityRenamed, identityDeleted
  /// `rule` is the format.
  case keyExported
  case vaultOpened, vaultOpenFailed
  case daemonStarted, daemonStopped
  case replayRefused, floodRefused
  /// An unfinished entry at the end of the log was cut off at opening; `amount` is its length in bytes.
  case recovered
  case identityDefaultChanged
  case unlocked
  /// `rule` says why.
  case locked
  /// `rule` names the setting.
  case settingChanged
  /// Somebody signed in to the console; `rule` says by what.
  case signedIn
  case signInFailed
  /// A sign-in to the console ended; `rule` says why.
  case sessionEnded
  case passkeyAdded, passkeyRemoved
  /// Something suspicious was counted; `rule` names it, `amount` says how often.
  case incidentMinor
  /// Everything was shut; `rule` says why.
  case incidentCritical
  /// The owner ended what a critical incident began.
  case incidentEnded
  /// A request ended without an answer.
  case requestDropped
  /// A link that was spent, expired or wrong was tried.
  case linkRefused
  case notificationSubscribed, notificationUnsubscribed
  /// Old entries gave up their content; `amount` is how many.
  case entriesRedacted
  /// `rule` names the type of the slot.
  case slotAdded
  case slotRemoved
  case slotTested
  case passphraseChanged, classKeysRotated
  /// With `identity` for that one alone, else for the vault.
  case recoveryCreated
  case recoveryTested, recoveryRestored
  case backupMade, backupVerified, backupRestored
  /// Something about an identity beside its key was changed.
  case identityChanged
  /// `identity` is the old one.
  case identityRotated
  case successionSigned
  /// A guardian was given a share.
  case guardianAdded
  /// Somebody asked for the share that is kept here for them.
  case guardianAsked
  /// A share that was asked for is given back from now on.
  case guardianReleased
  /// A share that was asked for is not given back.
  case guardianCancelled
  /// Other fingers are enrolled on this machine than before; `rule` says what changed.
  case biometryChanged
  /// A guardian, or a share that was kept here, was removed.
  case guardianRemoved
  /// A share may be given back when its waiting time is over.
  case guardianAllowed
  /// A share is kept here for somebody from now on.
  case shareKept
  /// A recovery kit has another request code.
  case requestCodeChanged
  /// The vault was older than the log knew, and the owner accepted it; `amount` is its revision.
  case vaultAccepted
  /// Further requests of an app within a minute that use no key; `amount` says how many.
  case requestsGathered
  /// Further logins of an identity at a relay within an hour; `amount` says how many.
  case loginsGathered
}
