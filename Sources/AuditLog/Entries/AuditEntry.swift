public import Curve
public import Encodings

/// One thing that was decided or that happened. Has no field that could hold a secret, a plaintext or a stranger's text.
public struct AuditEntry: Sendable, Hashable {
  /// Milliseconds since 1970-01-01 UTC, by the clock of whoever made the entry.
  public var time: Int64
  /// What happened.
  public var kind: Kind
  /// Whose key was asked for or changed.
  public var identity: PublicKey?
  /// The app that asked.
  public var client: PublicKey?
  /// Id of the event that carried the request.
  public var requestID: Bytes32?
  /// `created_at` of that event, seconds since 1970-01-01 UTC as its author claims.
  public var requestCreatedAt: Int64?
  /// What was asked for.
  public var method: AuditMethod?
  /// Kind of the event to sign, 0 to 65535.
  public var eventKind: UInt16?
  /// The answer, for entries of kind `requestDecided`.
  public var decision: Decision?
  /// The rule that gave it.
  public var rule: AuditRule?
  /// Id of the event that was signed.
  public var resultID: Bytes32?
  /// Why it was not done.
  public var error: AuditErrorCode?
  /// How many: requests gathered, bytes cut by a recovery, events refused by a limit, seconds of a wait.
  public var amount: Int64?
  /// A stable name of the `rule`, for programs. Nil in entries of earlier versions.
  public var code: AuditRule?
  /// A number for what was asked for, where method and kind do not say enough; a module above names the numbers. Nil in entries of earlier
  /// versions.
  public var heading: UInt8?
  /// The state of the vault when it was written: set by the log itself, where the state changed.
  public internal(set) var vault: VaultMark?

  /// An entry with only the fields that apply.
  public init(
    time: Int64, kind: Kind, identity: PublicKey? = nil, client: PublicKey? = nil, requestID: Bytes32? = nil,
    requestCreatedAt: Int64? = nil, method: AuditMethod? = nil, eventKind: UInt16? = nil, decision: Decision? = nil,
    rule: AuditRule? = nil, resultID: Bytes32? = nil, error: AuditErrorCode? = nil, amount: Int64? = nil,
    code: AuditRule? = nil, heading: UInt8? = nil
  ) {
    (self.time, self.kind, self.identity, self.client) = (time, kind, identity, client)
    (self.requestID, self.requestCreatedAt, self.method, self.eventKind) = (requestID, requestCreatedAt, method, eventKind)
    (self.decision, self.rule, self.resultID, self.error, self.amount) = (decision, rule, resultID, error, amount)
    (self.code, self.heading) = (code, heading)
  }
}

extension AuditEntry {
  /// What happened. The raw value is stored; a number is never used again for something else.
  public enum Kind: UInt8, Sendable, CaseIterable {
    /// The intent: a request was judged. Written and durable before anything is signed.
    case requestDecided = 1
    /// The outcome of a request that had been allowed.
    case requestDone = 2
    case paired = 3
    case unpaired = 4
    case linkMade = 5
    case grantChanged = 6
    case identityCreated = 7
    case identityImported = 8
    case identityRenamed = 9
    case identityDeleted = 10
    case keyExported = 11
    case vaultOpened = 12
    case vaultOpenFailed = 13
    case daemonStarted = 14
    case daemonStopped = 15
    case replayRefused = 16
    case floodRefused = 17
    /// An unfinished record at the end of this log was cut off at opening; `amount` is its length in bytes.
    case recovered = 18
    case identityDefaultChanged = 19
    /// A key's class was opened by the passphrase while the daemon ran.
    case unlocked = 20
    /// The session was locked: by the owner, because nothing used it for a time, or by an incident (`rule` says which).
    case locked = 21
    /// The log's own settings or the daemon's were changed; `rule` names the setting.
    case settingChanged = 22
    /// Somebody signed in to the console, with what `rule` names.
    case signedIn = 23
    case signInFailed = 24
    /// A console session ended; `rule` says why.
    case sessionEnded = 25
    case passkeyAdded = 26
    case passkeyRemoved = 27
    /// Something suspicious that was counted; `rule` names it, `amount` says how often.
    case incidentMinor = 28
    /// Something critical: all was shut. `rule` names it.
    case incidentCritical = 29
    /// The owner ended what a critical incident began.
    case incidentEnded = 30
    /// A request left the queue without an answer: too old, withdrawn, or its app is gone.
    case requestDropped = 31
    /// A link that was spent, expired or wrong was tried.
    case linkRefused = 32
    case notificationSubscribed = 33
    case notificationUnsubscribed = 34
    /// Old entries gave up their content; their hashes stay. `amount` is how many.
    case entriesRedacted = 35
    /// A way to open the vault was added; `rule` names its type.
    case slotAdded = 36
    case slotRemoved = 37
    /// A way to open the vault was tried and works.
    case slotTested = 38
    case passphraseChanged = 39
    /// The vault's class keys were made anew.
    case classKeysRotated = 40
    /// A recovery kit was made; with `identity` for that one alone, else for the vault.
    case recoveryCreated = 41
    /// A test showed that a set of shares restores its key or vault.
    case recoveryTested = 42
    case recoveryRestored = 43
    case backupMade = 44
    case backupVerified = 45
    case backupRestored = 46
    /// Details of an identity, other than its key, were changed.
    case identityChanged = 47
    /// An identity gave way to a new key; `identity` is the old one.
    case identityRotated = 48
    /// A statement about a key's succession was signed, to be kept.
    case successionSigned = 49
    /// A guardian was given a share.
    case guardianAdded = 50
    /// Somebody asked for the share that is kept here for him.
    case guardianAsked = 51
    /// A share that was asked for is given from now on: written before it leaves.
    case guardianReleased = 52
    /// A requested share is not given: its owner said no, here or by a message, or the guardian did (`code`).
    case guardianCancelled = 53
    /// Other fingers are enrolled on this machine than those a class was for; `rule` says what changed.
    case biometryChanged = 54
    /// A guardian, or a share that was kept here, was removed; `code` says which.
    case guardianRemoved = 55
    /// The person here allowed that a share is given back when its waiting time is over.
    case guardianAllowed = 56
    /// A share is kept here for somebody from now on.
    case shareKept = 57
    /// A recovery kit has a new request code, which is sent to its guardians.
    case requestCodeChanged = 58
    /// The vault was older than this log knew, and the owner accepted it; `amount` is the revision it had.
    case vaultAccepted = 60
    /// Requests of an app within a minute that use no key, beyond the first, which has entries of its own; `amount` says how many.
    case requestsGathered = 61
    /// Logins of an identity at a relay within an hour, beyond the first, which has entries of its own; `amount` says how many.
    case loginsGathered = 62
    /// A program, site or link on this machine asked for the first time. It is known, but not let in.
    case firstAsked = 63

    /// Whether it tells of a change that somebody may want to undo with an older copy of the vault: the head is written right behind
    /// such an entry, so that no clean cut of the last entries takes it away.
    var wantsHead: Bool {
      switch self {
      case .unpaired, .grantChanged, .identityDeleted, .slotAdded, .slotRemoved, .passphraseChanged, .classKeysRotated,
        .incidentCritical, .incidentEnded, .identityRotated, .passkeyRemoved, .vaultAccepted, .guardianCancelled,
        .guardianRemoved:
        true
      default: false
      }
    }
  }

  /// The decision of the policy or the owner.
  public enum Decision: UInt8, Sendable, CaseIterable {
    case allow = 1
    case ask = 2
    case deny = 3
  }
}

/// A NIP-46 method, as far as the log names it.
public enum AuditMethod: UInt8, Sendable, CaseIterable {
  case other = 0
  case connect = 1
  case ping = 2
  case getPublicKey = 3
  case signEvent = 4
  case nip04Encrypt = 5
  case nip04Decrypt = 6
  case nip44Encrypt = 7
  case nip44Decrypt = 8
  case switchRelays = 9
  case logout = 10
  case getRelays = 11
  case describe = 12
  case createAccount = 13
  case disconnect = 14
}

/// Why something did not happen. Open: a module above may name its own numbers from 1000 on.
public struct AuditErrorCode: RawRepresentable, Sendable, Hashable {
  /// The number that is stored.
  public let rawValue: UInt16
  /// Any number: what a log holds need not be known here.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The request was not well formed.
  public static let malformed = AuditErrorCode(rawValue: 1)
  /// No such method here.
  public static let unsupportedMethod = AuditErrorCode(rawValue: 2)
  /// The app has no grant.
  public static let notPaired = AuditErrorCode(rawValue: 3)
  /// A rule said no.
  public static let deniedByPolicy = AuditErrorCode(rawValue: 4)
  /// The owner said no.
  public static let deniedByOwner = AuditErrorCode(rawValue: 5)
  /// Nobody answered in time, or the request was too old.
  public static let expired = AuditErrorCode(rawValue: 6)
  /// The key was not available.
  public static let locked = AuditErrorCode(rawValue: 7)
  /// The ciphertext did not open.
  public static let cannotDecrypt = AuditErrorCode(rawValue: 8)
  /// No relay took the answer.
  public static let cannotPublish = AuditErrorCode(rawValue: 9)
  /// The passphrase did not open the vault.
  public static let wrongPassphrase = AuditErrorCode(rawValue: 10)
  /// Too many attempts before this one.
  public static let throttled = AuditErrorCode(rawValue: 11)
  /// The disk refused a write.
  public static let storage = AuditErrorCode(rawValue: 12)
  /// A fault of our own.
  public static let internalFault = AuditErrorCode(rawValue: 13)
}
