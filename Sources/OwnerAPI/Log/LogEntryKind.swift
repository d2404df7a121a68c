/// The type of a log entry. The words are part of the contract, whatever the cases are called. The comments explain the entry's `rule`
/// and `amount` when they are not obvious.
public enum LogEntryKind: String, Word {
  /// A request was decided. Written before anything is signed.
  case requestDecided = "requestDecided"
  /// The outcome of a request that was allowed.
  case requestDone = "requestDone"
  case paired = "paired"
  case unpaired = "unpaired"
  case linkMade = "linkMade"
  case grantChanged = "grantChanged"
  case identityCreated = "identityCreated"
  case identityImported = "identityImported"
  case identityRenamed = "identityRenamed"
  case identityDeleted = "identityDeleted"
  /// `rule` is the format.
  case keyExported = "keyExported"
  case vaultOpened = "vaultOpened"
  case vaultOpenFailed = "vaultOpenFailed"
  case daemonStarted = "daemonStarted"
  case daemonStopped = "daemonStopped"
  case replayRefused = "replayRefused"
  case floodRefused = "floodRefused"
  /// An unfinished entry at the end of the log was cut off when the log was opened. `amount` is its length in bytes.
  case recovered = "recovered"
  case identityDefaultChanged = "identityDefaultChanged"
  case unlocked = "unlocked"
  /// `rule` says why.
  case locked = "locked"
  /// `rule` names the setting.
  case settingChanged = "settingChanged"
  /// Somebody signed in to the console. `rule` says how.
  case signedIn = "signedIn"
  case signInFailed = "signInFailed"
  /// A sign-in to the console ended. `rule` says why.
  case sessionEnded = "sessionEnded"
  case passkeyAdded = "passkeyAdded"
  case passkeyRemoved = "passkeyRemoved"
  /// Something suspicious was counted. `rule` names it, and `amount` is how often.
  case incidentMinor = "incidentMinor"
  /// Everything was suspended. `rule` says why.
  case incidentCritical = "incidentCritical"
  /// The owner ended the suspension that a critical incident began.
  case incidentEnded = "incidentEnded"
  /// A request ended without an answer.
  case requestDropped = "requestDropped"
  /// A link that was used up, expired or wrong was tried.
  case linkRefused = "linkRefused"
  case notificationSubscribed = "notificationSubscribed"
  case notificationUnsubscribed = "notificationUnsubscribed"
  /// The content of old entries was dropped. `amount` is the number of entries.
  case entriesRedacted = "entriesRedacted"
  /// `rule` names the type of the slot.
  case slotAdded = "slotAdded"
  case slotRemoved = "slotRemoved"
  case slotTested = "slotTested"
  case passphraseChanged = "passphraseChanged"
  case classKeysRotated = "classKeysRotated"
  /// With `identity` for that one only, otherwise for the vault.
  case recoveryCreated = "recoveryCreated"
  case recoveryTested = "recoveryTested"
  case recoveryRestored = "recoveryRestored"
  case backupMade = "backupMade"
  case backupVerified = "backupVerified"
  case backupRestored = "backupRestored"
  /// Something about an identity other than its key was changed.
  case identityChanged = "identityChanged"
  /// `identity` is the old one.
  case identityRotated = "identityRotated"
  case successionSigned = "successionSigned"
  /// A guardian was given a share.
  case guardianAdded = "guardianAdded"
  /// The owner of a share that is kept here, or somebody else, requested it.
  case guardianAsked = "guardianAsked"
  /// A requested share is given back from now on.
  case guardianReleased = "guardianReleased"
  /// A requested share is not given back.
  case guardianCancelled = "guardianCancelled"
  /// The set of fingers enrolled on this machine changed. `rule` says how.
  case biometryChanged = "biometryChanged"
  /// A guardian, or a share that was kept here, was removed.
  case guardianRemoved = "guardianRemoved"
  /// A share may be given back when its waiting time is over.
  case guardianAllowed = "guardianAllowed"
  /// A share is kept here for somebody from now on.
  case shareKept = "shareKept"
  /// A recovery kit got another request code.
  case requestCodeChanged = "requestCodeChanged"
  /// The vault was older than the log knew, and the owner accepted it. `amount` is its revision.
  case vaultAccepted = "vaultAccepted"
  /// Further requests of an app within a minute that use no key. `amount` is their number.
  case requestsGathered = "requestsGathered"
  /// Further logins of an identity at a relay within an hour. `amount` is their number.
  case loginsGathered = "loginsGathered"
  /// A program, site or link on this machine asked for the first time. `rule` says what it is.
  case firstAsked = "firstAsked"
}
