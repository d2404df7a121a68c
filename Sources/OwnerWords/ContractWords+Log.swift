package import AuditLog
package import OwnerAPI

// The words of log entries. The table is complete, and no word follows from what a case is called here.

extension LogEntryKind {
  package init(_ kind: AuditEntry.Kind) {
    self =
      switch kind {
      case .requestDecided: .requestDecided
      case .requestDone: .requestDone
      case .paired: .paired
      case .unpaired: .unpaired
      case .linkMade: .linkMade
      case .grantChanged: .grantChanged
      case .identityCreated: .identityCreated
      case .identityImported: .identityImported
      case .identityRenamed: .identityRenamed
      case .identityDeleted: .identityDeleted
      case .keyExported: .keyExported
      case .vaultOpened: .vaultOpened
      case .vaultOpenFailed: .vaultOpenFailed
      case .daemonStarted: .daemonStarted
      case .daemonStopped: .daemonStopped
      case .replayRefused: .replayRefused
      case .floodRefused: .floodRefused
      case .recovered: .recovered
      case .identityDefaultChanged: .identityDefaultChanged
      case .unlocked: .unlocked
      case .locked: .locked
      case .settingChanged: .settingChanged
      case .signedIn: .signedIn
      case .signInFailed: .signInFailed
      case .sessionEnded: .sessionEnded
      case .passkeyAdded: .passkeyAdded
      case .passkeyRemoved: .passkeyRemoved
      case .incidentMinor: .incidentMinor
      case .incidentCritical: .incidentCritical
      case .incidentEnded: .incidentEnded
      case .requestDropped: .requestDropped
      case .linkRefused: .linkRefused
      case .notificationSubscribed: .notificationSubscribed
      case .notificationUnsubscribed: .notificationUnsubscribed
      case .entriesRedacted: .entriesRedacted
      case .slotAdded: .slotAdded
      case .slotRemoved: .slotRemoved
      case .slotTested: .slotTested
      case .passphraseChanged: .passphraseChanged
      case .classKeysRotated: .classKeysRotated
      case .recoveryCreated: .recoveryCreated
      case .recoveryTested: .recoveryTested
      case .recoveryRestored: .recoveryRestored
      case .backupMade: .backupMade
      case .backupVerified: .backupVerified
      case .backupRestored: .backupRestored
      case .identityChanged: .identityChanged
      case .identityRotated: .identityRotated
      case .successionSigned: .successionSigned
      case .guardianAdded: .guardianAdded
      case .guardianAsked: .guardianAsked
      case .guardianReleased: .guardianReleased
      case .guardianCancelled: .guardianCancelled
      case .biometryChanged: .biometryChanged
      case .guardianRemoved: .guardianRemoved
      case .guardianAllowed: .guardianAllowed
      case .shareKept: .shareKept
      case .requestCodeChanged: .requestCodeChanged
      case .vaultAccepted: .vaultAccepted
      case .requestsGathered: .requestsGathered
      case .loginsGathered: .loginsGathered
      case .firstAsked: .firstAsked
      }
  }

  /// The kinds of entries with that word. Empty if only a newer program writes such entries.
  package var kinds: Set<AuditEntry.Kind> { Self.byWord[self] ?? [] }

  private static let byWord = Dictionary(grouping: AuditEntry.Kind.allCases) { LogEntryKind($0) }.mapValues { Set($0) }
}
