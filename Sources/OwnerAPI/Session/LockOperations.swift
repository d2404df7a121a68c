// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import SecretMemory

/// Locks the session: keys leave the memory, but those of identities that stay ready.
public enum SignerLock: OwnerOperation {
  public static let properties = OperationProperties.action(
    "lock", "Lock the session: requests that need a key wait until you unlock.", from: .session, home: .running, lane: .always,
    onDamagedVault: true)
  public typealias Request = Nothing

  public struct Response: Fields {
    public var isLocked = true
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.flag("locked", &isLocked, "Whether the session is locked now: true.")
    }
  }
}

/// Unlocks the session. What a panic suspended stays suspended.
public enum SignerUnlock: OwnerOperation {
  public static let properties = OperationProperties.action(
    "unlock", "Unlock the session: keys are loaded, and requests that waited go on.", from: .session, proof: .always,
    home: .running, lane: .beside, onDamagedVault: true)

  public struct Request: Fields {
    public var credential = Credential()
    /// A salt for the passkey's slot, base64url; the slot is sealed under its output from then on.
    public var nextSalt: String?
    /// What the passkey's PRF gave for `nextSalt`, 32 bytes.
    public var nextOutput: SecretBox?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.include(&credential)
      try fields.text("next_salt", &nextSalt, "The next input for the passkey's PRF, in base64url. The console adds it.")
      try fields.secret("prf_next", &nextOutput, "32 bytes that the passkey's PRF gave for the next input.")
    }
  }

  public struct Response: Fields {
    public var lock = LockState()
    /// True when the passkey's slot is under the next salt now; nil when it stayed as it was.
    public var isPasskeyRenewed: Bool?
    /// Nil when every token was there.
    public var absent: [AbsentToken]?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.include(&lock)
      try fields.leftOut.flag("rotated", &isPasskeyRenewed, "True when the passkey's slot opens by the next input from now on.")
      try fields.leftOut.objects("absent", &absent, "The tokens that were not there while another slot opened the vault.")
    }
  }
}

/// Shuts everything at once. Never fails: what could not be done is in the answer.
public enum SignerPanic: OwnerOperation {
  public static let properties = OperationProperties.action(
    "panic", "Shut everything: suspend all permissions, lock, and end all browser sessions.", from: .session, lane: .always,
    onDamagedVault: true)
  public typealias Request = Nothing

  /// Without a running signer only the next start is shut, and what a signer would add is left out.
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
      try fields.leftOut.flag("running", &isRunning, "False when no signer was running: the next start is shut.")
      try fields.include(&lock)
      try fields.leftOut.flag("keys_wiped", &areKeysWiped, "Whether every key is out of memory.")
      try fields.flag("stored", &isStored, "Whether this holds over a restart.")
      try fields.leftOut.flag("recorded", &isRecorded, "Whether it is in the log.")
      try fields.leftOut.integer("milliseconds", &milliseconds, "How long it took, in milliseconds.")
      try fields.texts("failures", &failures, "What could not be done, in words.")
      try fields.leftOut.flag("trial", &isTrial, "Whether this is a trial, which cannot go on.")
    }
  }
}

/// Ends a panic: unlocks, and permissions hold again.
public enum SignerResume: OwnerOperation {
  public static let properties = OperationProperties.action(
    "resume", "End the suspension of all permissions, and unlock.", from: .recentSignIn, proof: .always, lane: .beside)
  public typealias Request = Credential

  public struct Response: Fields {
    public var lock = LockState()
    public var wasSuspended = false
    public var pausedApps: [String] = []
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.include(&lock)
      try fields.flag("was_suspended", &wasSuspended, "Whether permissions were suspended until now.")
      try fields.texts("suspended_apps", &pausedApps, "The names of apps that are paused one by one and stay so.")
    }
  }
}
