public import OwnerAPI

/// What the console needs from the rest of the program. It knows nothing of keys, apps or the engine.
public struct ConsoleHooks: Sendable {
  /// Performs an operation for the signed-in owner and answers once, from any thread. Returns at once.
  public var perform: Perform
  /// Runs a job on a worker. False when there are too many.
  public var work: @Sendable (@escaping @Sendable () -> Void) -> Bool
  /// Where passkeys are stored.
  public var passkeys: PasskeyStorage
  /// The passkeys that open a slot of the vault. Called on workers.
  public var passkeySlots: @Sendable () -> [PasskeySlot]
  /// Records a sign-in event in the log and informs the observers.
  public var record: @Sendable (ConsoleEvent) -> Void
  /// Removes what a session that is over has left: see `ControlRequest.session`.
  public var sessionEnded: @Sendable (_ session: String) -> Void
  /// Whether no app has been paired so far.
  public var isFirstRun: @Sendable () -> Bool
  /// Whether the signer is locked: then no passkey is added.
  public var isLocked: @Sendable () -> Bool
  /// Whether a passphrase that the owner knows opens the vault. Called on workers.
  public var hasPassphrase: @Sendable () -> Bool
  /// Whether it is locked down, which no passkey ends.
  public var isLockedDown: @Sendable () -> Bool
  /// Runs a job once, after the given milliseconds.
  public var after: @Sendable (Int, @escaping @Sendable () -> Void) -> Void
  /// The current time.
  public var now: @Sendable () -> ConsoleTime

  /// The type of `perform`.
  public typealias Perform =
    @Sendable (_ request: ControlRequest, _ answer: @escaping @Sendable (ControlResponse) -> Void) -> Void

  /// All hooks.
  public init(
    perform: @escaping Perform, work: @escaping @Sendable (@escaping @Sendable () -> Void) -> Bool, passkeys: PasskeyStorage,
    passkeySlots: @escaping @Sendable () -> [PasskeySlot],
    record: @escaping @Sendable (ConsoleEvent) -> Void, sessionEnded: @escaping @Sendable (_ session: String) -> Void,
    isFirstRun: @escaping @Sendable () -> Bool,
    hasPassphrase: @escaping @Sendable () -> Bool,
    isLocked: @escaping @Sendable () -> Bool, isLockedDown: @escaping @Sendable () -> Bool,
    after: @escaping @Sendable (Int, @escaping @Sendable () -> Void) -> Void, now: @escaping @Sendable () -> ConsoleTime
  ) {
    (self.perform, self.work, self.passkeys) = (perform, work, passkeys)
    self.passkeySlots = passkeySlots
    (self.record, self.sessionEnded, self.isFirstRun) = (record, sessionEnded, isFirstRun)
    (self.hasPassphrase, self.isLocked, self.isLockedDown) = (hasPassphrase, isLocked, isLockedDown)
    (self.after, self.now) = (after, now)
  }
}

/// Where passkeys are stored, by credential id (1 to 1023 bytes). Nothing of them is secret. Called on workers.
public struct PasskeyStorage: Sendable {
  /// All stored passkeys. Called once, at the start.
  public var load: @Sendable () -> [[UInt8]]
  /// Stores or replaces a passkey. False when that failed.
  public var put: @Sendable (_ id: [UInt8], _ record: [UInt8]) -> Bool
  /// Removes a passkey. False when that failed.
  public var remove: @Sendable (_ id: [UInt8]) -> Bool

  /// All closures.
  public init(
    load: @escaping @Sendable () -> [[UInt8]], put: @escaping @Sendable ([UInt8], [UInt8]) -> Bool,
    remove: @escaping @Sendable ([UInt8]) -> Bool
  ) { (self.load, self.put, self.remove) = (load, put, remove) }
}

/// A slot of the vault that a passkey opens. Nothing of it is secret.
public struct PasskeySlot: Sendable, Hashable {
  /// The length of a salt in bytes.
  public static let saltBytes = 32

  /// The slot's id in the vault.
  public var id: UInt32
  /// The passkey's credential id, 1 to 1023 bytes.
  public var credentialID: [UInt8]
  /// The host that the passkey is for.
  public var party: String
  /// The input of the PRF whose output opens the slot at present; 32 bytes.
  public var salt: [UInt8]
  /// The owner's name for it.
  public var label: String

  /// All members.
  public init(id: UInt32, credentialID: [UInt8], party: String, salt: [UInt8], label: String) {
    (self.id, self.credentialID, self.party, self.salt, self.label) = (id, credentialID, party, salt, label)
  }
}

/// A moment by two clocks: one that people read, and one that nobody can set.
public struct ConsoleTime: Sendable, Hashable {
  /// Seconds since 1970.
  public var wall: Int64
  /// Milliseconds since some point in the past. Never goes back, and includes the time the machine sleeps.
  public var steady: Int64

  /// A moment.
  public init(wall: Int64, steady: Int64) { (self.wall, self.steady) = (wall, steady) }
}

/// How somebody signed in.
public enum SignInMeans: String, Sendable {
  case link
  case passkey
  /// Also in a browser that was signed in already: its sign-in counts as recent again.
  case passphrase
}

/// An event about signing in, sessions or passkeys.
public enum ConsoleEvent: Sendable, Hashable {
  case signedIn(SignInMeans)
  /// The number of failed attempts since the last report. Many failures are reported together. `from` is where all of them came from; nil
  /// for several places, or if it is not known.
  case signInFailed(count: Int, from: SignInPlace?)
  /// The same, with a link that had signed somebody in before.
  case usedLinkTried(count: Int, from: SignInPlace?)
  /// The same, with a link that nobody had used in time, or that was closed.
  case closedLinkTried(count: Int, from: SignInPlace?)
  case sessionEnded(SessionEnd)
  case passkeyAdded
  case passkeyRemoved
  /// A passkey's counter went back, so there may be a copy of it.
  case passkeyMayBeCopied
  /// A browser has a service worker at the console's address that is not the console's.
  case foreignWorker
}

/// Why a session ended.
public enum SessionEnd: String, Sendable {
  case signedOut = "signed out"
  case revoked = "revoked"
  case expired = "expired"
  case crowdedOut = "too many sessions"
  case shut = "everything was shut"
  case guessing = "too many wrong passphrases or kits"
  case foreignWorker = "another program's page was in the browser"
}
