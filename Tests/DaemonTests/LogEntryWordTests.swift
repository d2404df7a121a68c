import AuditLog
import OwnerAPI
import OwnerWords
import RemoteSigning
import Testing

@testable import OwnerOperations

/// Numbers are stored in the log, and words are part of the contract: neither follows a name in the program.
@Suite struct LogEntryWordTests {
  @Test("Each type of entry has a phrase for people, and each error a reason") func everyEntryHasWords() {
    for kind in LogEntryKind.allCases {
      var entry = LogEntry()
      entry.entry = kind
      #expect(entry.words.contains(" ") || entry.words == "Paired", "\(kind)")
    }
    for number in UInt16(1)...13 { #expect(AuditErrorCode(rawValue: number).words != nil, "\(number)") }
  }

  @Test("Requests that share an entry are named by what was asked") func gatheredRequestsAreNamed() {
    var entry = LogEntry()
    (entry.entry, entry.method) = (.requestsGathered, .getPublicKey)
    #expect(entry.words == "Learned your public key again")
    entry.method = .other
    #expect(entry.words == "Asked again for something that uses no key")
  }

  @Test("A request is named by what it would do") func requestsAreNamedByWhatTheyDo() {
    var entry = LogEntry()
    (entry.method, entry.kind) = (.signEvent, 0)
    #expect(entry.words == "Change your profile")
    (entry.method, entry.kind) = (.nip44Decrypt, nil)
    #expect(entry.words == "Decrypt a message")
    for method in RequestMethod.allCases {
      entry.method = method
      #expect(entry.words != "A request", "\(method)")
    }
  }

  @Test("A request that is no ordinary one of its kind is named by what it is")
  func headingsAreNamed() {
    var entry = LogEntry()
    (entry.method, entry.kind) = (.signEvent, 0)
    #expect(entry.words(.payee) == "Change where payments to you go")
    (entry.method, entry.kind) = (.nip44Decrypt, nil)
    #expect(entry.words(.ofSelf) == "Decrypt something of your own")
  }

  @Test("Each heading in the log keeps its number") func headingsAreStable() {
    let numbers: [RequestHeading: UInt8] = [
      .like: 1, .dislike: 2, .payee: 3, .forSelf: 4, .ofSelf: 5, .unnamedSite: 6, .unnamedRelay: 7,
      .fileDeletion: 8, .sameProfile: 9, .sameFollows: 10, .emptiedList: 11,
      .paysOthers: 12, .datedAhead: 13, .addedFollows: 14, .keptProfile: 15,
    ]
    #expect(numbers.count == RequestHeading.allCases.count)
    for (heading, number) in numbers { #expect(heading.rawValue == number) }
  }

  private static let words: [(UInt8, String)] = [
    (1, "requestDecided"),
    (2, "requestDone"),
    (3, "paired"),
    (4, "unpaired"),
    (5, "linkMade"),
    (6, "grantChanged"),
    (7, "identityCreated"),
    (8, "identityImported"),
    (9, "identityRenamed"),
    (10, "identityDeleted"),
    (11, "keyExported"),
    (12, "vaultOpened"),
    (13, "vaultOpenFailed"),
    (14, "daemonStarted"),
    (15, "daemonStopped"),
    (16, "replayRefused"),
    (17, "floodRefused"),
    (18, "recovered"),
    (19, "identityDefaultChanged"),
    (20, "unlocked"),
    (21, "locked"),
    (22, "settingChanged"),
    (23, "signedIn"),
    (24, "signInFailed"),
    (25, "sessionEnded"),
    (26, "passkeyAdded"),
    (27, "passkeyRemoved"),
    (28, "incidentMinor"),
    (29, "incidentCritical"),
    (30, "incidentEnded"),
    (31, "requestDropped"),
    (32, "linkRefused"),
    (33, "notificationSubscribed"),
    (34, "notificationUnsubscribed"),
    (35, "entriesRedacted"),
    (36, "slotAdded"),
    (37, "slotRemoved"),
    (38, "slotTested"),
    (39, "passphraseChanged"),
    (40, "classKeysRotated"),
    (41, "recoveryCreated"),
    (42, "recoveryTested"),
    (43, "recoveryRestored"),
    (44, "backupMade"),
    (45, "backupVerified"),
    (46, "backupRestored"),
    (47, "identityChanged"),
    (48, "identityRotated"),
    (49, "successionSigned"),
    (50, "guardianAdded"),
    (51, "guardianAsked"),
    (52, "guardianReleased"),
    (53, "guardianCancelled"),
    (54, "biometryChanged"),
    (55, "guardianRemoved"),
    (56, "guardianAllowed"),
    (57, "shareKept"),
    (58, "requestCodeChanged"),
    (60, "vaultAccepted"),
    (61, "requestsGathered"),
    (62, "loginsGathered"), (63, "firstAsked"),
  ]

  @Test("Each type of log entry keeps its number and its word") func wordsAreStable() {
    #expect(Self.words.count == AuditEntry.Kind.allCases.count && Self.words.count == LogEntryKind.allCases.count)
    for (number, word) in Self.words {
      let kind = AuditEntry.Kind(rawValue: number)
      #expect(kind.map { LogEntryKind($0).rawValue } == word)
      #expect(LogEntryKind(rawValue: word)?.kinds == Set([kind].compactMap(\.self)))
    }
  }
}
