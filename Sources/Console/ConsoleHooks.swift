public import OwnerAPI

/// What the console needs of the program around it. It knows nothing of keys, apps or the engine.
public struct ConsoleHooks: Sendable {
  /// Does an operation for the signed-in owner and answers once, from any thread. Returns at once.
  public var perform: Perform
  /// Runs a job on a worker; false when there are too many.
  public var work: @Sendable (@escaping @Sendable () -> Void) -> Bool
  /// Where passkeys are kept.
  public var passkeys: PasskeyStorage
  /// The passkeys that open a slot of the vault. Called on workers.
  public var passkeySlots: @Sendable () -> [PasskeySlot]
  /// Writes into the log what happened at the door, and tells who wants to know.
  public var record: @Sendable (ConsoleEvent) -> Void
  /// Whether the owner has not begun yet: no app is paired.
  public var isFirstRun: @Sendable () -> Bool
  /// Runs a job once, so many milliseconds from now.
  public var after: @Sendable (Int, @escaping @Sendable () -> Void) -> Void
  /// The time.
  public var now: @Sendable () -> ConsoleTime

  /// The type of `perform`.
  public typealias Perform =
    @Sendable (_ request: ControlRequest, _ answer: @escaping @Sendable (ControlResponse) -> Void) -> Void

  /// All hooks.
  public init(
    perform: @escaping Perform, work: @escaping @Sendable (@escaping @Sendable () -> Void) -> Bool, passkeys: PasskeyStorage,
    passkeySlots: @escaping @Sendable () -> [PasskeySlot],
    record: @escaping @Sendable (ConsoleEvent) -> Void, isFirstRun: @escaping @Sendable () -> Bool,
    after: @escaping @Sendable (Int, @escaping @Sendable () -> Void) -> Void, now: @escaping @Sendable () -> ConsoleTime
  ) {
    (self.perform, self.work, self.passkeys) = (perform, work, passkeys)
    self.passkeySlots = passkeySlots
    (self.record, self.isFirstRun) = (record, isFirstRun)
    (self.after, self.now) = (after, now)
  }
}

/// Where passkeys are kept: by their credential's id, 1 to 1023 bytes. Nothing of them is secret. Called on workers.
public struct PasskeyStorage: Sendable {
  /// All that are stored; called once, at the start.
  public var load: @Sendable () -> [[UInt8]]
  /// Makes or replaces one; false when it could not be stored.
  public var put: @Sendable (_ id: [UInt8], _ record: [UInt8]) -> Bool
  /// Removes one; false when that could not be stored.
  public var remove: @Sendable (_ id: [UInt8]) -> Bool

  /// All of it.
  public init(
    load: @escaping @Sendable () -> [[UInt8]], put: @escaping @Sendable ([UInt8], [UInt8]) -> Bool,
    remove: @escaping @Sendable ([UInt8]) -> Bool
  ) { (self.load, self.put, self.remove) = (load, put, remove) }
}

/// A slot of the vault that a passkey opens. Nothing of it is secret.
public struct PasskeySlot: Sendable, Hashable {
  /// Bytes of a salt.
  public static let saltBytes = 32

  /// Names the slot in the vault.
  public var id: UInt32
  /// The passkey's, 1 to 1023 bytes.
  public var credentialID: [UInt8]
  /// The host that the passkey is for.
  public var party: String
  /// The input of the PRF whose output opens the slot now; 32 bytes.
  public var salt: [UInt8]
  /// The owner's word for it.
  public var label: String

  /// All of it.
  public init(id: UInt32, credentialID: [UInt8], party: String, salt: [UInt8], label: String) {
    (self.id, self.credentialID, self.party, self.salt, self.label) = (id, credentialID, party, salt, label)
  }
}

/// A moment, by two clocks: one that people read, and one that nobody can set.
public struct ConsoleTime: Sendable, Hashable {
  /// Seconds since 1970.
  public var wall: Int64
  /// Milliseconds since some point in the past; never goes back, counts the time a machine sleeps.
  public var steady: Int64

  /// A moment.
  public init(wall: Int64, steady: Int64) { (self.wall, self.steady) = (wall, steady) }
}

/// What somebody signed in with.
public enum SignInMeans: String, Sendable {
  case link
  case passkey
}

/// What happened at the console's door.
public enum ConsoleEvent: Sendable, Hashable {
  case signedIn(SignInMeans)
  /// So many attempts failed since the last that was told; a flood of them is told now and then, not one by one.
  case signInFailed(count: Int)
  case sessionEnded(SessionEnd)
  case passkeyAdded
  case passkeyRemoved
  /// A passkey's counter went back.
  case passkeyMayBeCopied
}

/// Why a session ended.
public enum SessionEnd: String, Sendable {
  case signedOut = "signed out"
  case revoked = "revoked"
  case expired = "expired"
  case crowdedOut = "too many sessions"
  case shut = "everything was shut"
}
