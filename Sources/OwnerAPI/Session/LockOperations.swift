// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import SecretMemory

/// Locks the session: keys leave memory, except those of identities that stay ready.
public enum SignerLock: OwnerOperation {
  public static let properties = OperationProperties.action(
    "lock", "Lock the session: requests that need a key wait until you unlock.", from: .session, home: .running, lane: .always,
    onDamagedVault: true)
  public typealias Request = Nothing

  public struct Response: Fields {
    public var isLocked = true
    /// True while the signer is locked down; nil otherwise.
    public var isSuspended: Bool?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.flag("locked", &isLocked, "Whether the session is locked now: true.")
      try fields.leftOut.flag("suspended", &isSuspended, "True when the signer is locked down: unlocking does not end that.")
    }
  }
}

/// Unlocks the session. A suspension by panic stays.
public enum SignerUnlock: OwnerOperation {
  public static let properties = OperationProperties.action(
    "unlock", "Unlock the session: keys are loaded, and waiting requests continue.", from: .session, proof: .always,
    home: .running, lane: .unlocking, onDamagedVault: true)

  public struct Request: Fields {
    public var credential = Credential()
    /// The next salt for the passkey's slot, base64url. From then on the slot is opened by its output.
    public var nextSalt: String?
    /// The output of the passkey's PRF for `nextSalt`, 32 bytes.
    public var nextOutput: SecretBox?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.include(&credential)
      try fields.text("next_salt", &nextSalt, "The next input for the passkey's PRF, in base64url. The console adds it.")
      try fields.secret("prf_next", &nextOutput, "The 32-byte output of the passkey's PRF for the next input.")
    }
  }

  public struct Response: Fields {
    public var lock = LockState()
    /// False when the session was not locked; nil when it was.
    public var wasLocked: Bool?
    /// True when the passkey's slot now uses the next salt; nil when it is unchanged.
    public var isPasskeyRenewed: Bool?
    /// Nil when no token was missing.
    public var absent: [AbsentToken]?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.include(&lock)
      try fields.leftOut.flag("was_locked", &wasLocked, "False when the session was not locked.")
      try fields.leftOut.flag("rotated", &isPasskeyRenewed, "True when the next input opens the passkey's slot from now on.")
      try fields.leftOut.objects("absent", &absent, "The tokens that were missing while another slot opened the vault.")
    }
  }
}

/// Suspends everything at once. Never fails: the response lists what could not be done.
public enum SignerPanic: OwnerOperation {
  public static let properties = OperationProperties.action(
    "panic", "Lock the signer down: pause all apps, lock the session, and end all browser sessions.", from: .session,
    lane: .always,
    onDamagedVault: true)
  public typealias Request = Nothing

  /// Without a running signer only the next start is suspended, and the running signer's members are left out.
  public struct Response: Fields {
    /// False when no signer was running; nil when one was.
    public var isRunning: Bool?
    public var lock = LockState()
    public var areKeysWiped: Bool?
    public var isStored = false
    public var isRecorded: Bool?
    public var milliseconds: Int64?
    public var failures: [String] = []
    public var isTrial: Bool?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.leftOut.flag("running", &isRunning, "False when no signer was running: the next one starts locked down.")
      try fields.include(&lock)
      try fields.leftOut.flag("keys_wiped", &areKeysWiped, "Whether every key has been removed from memory.")
      try fields.flag("stored", &isStored, "Whether this survives a restart.")
      try fields.leftOut.flag("recorded", &isRecorded, "Whether it is recorded in the log.")
      try fields.leftOut.integer("milliseconds", &milliseconds, "How long it took, in milliseconds.")
      try fields.texts("failures", &failures, "What could not be done, in words.")
      try fields.leftOut.flag("trial", &isTrial, "Whether this is a trial, which cannot continue.")
    }
  }
}

/// Resumes after a panic: unlocks, and permissions apply again.
public enum SignerResume: OwnerOperation {
  public static let properties = OperationProperties.action(
    "resume", "End a lockdown, and unlock.", from: .recentSignIn, proof: .always, lane: .unlocking)
  public typealias Request = Credential

  public struct Response: Fields {
    public var lock = LockState()
    public var wasSuspended = false
    public var pausedApps: [String] = []
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.include(&lock)
      try fields.flag("was_suspended", &wasSuspended, "Whether the signer was locked down until now.")
      try fields.texts("suspended_apps", &pausedApps, "The names of apps that are paused individually and stay paused.")
    }
  }
}
