import CPAM
import Platform
public import SecretMemory
public import Vault

/// A PAM check before a slot is opened: the login password, a fingerprint, or whatever the service's file requires.
///
/// PAM only answers yes or no to this program. No key depends on the answer. Somebody who can change this program, or read the
/// slot's other half without it, bypasses the check. It stops a person at an unlocked desk, not a person who has the files.
public struct PAMCheck: Sendable {
  /// The longest service name, in bytes.
  public static let maximumServiceLength = 64
  /// The time limit for an answer, in milliseconds: a fingerprint reader waits for a finger.
  static let milliseconds = 60_000
  private static let calls = TimeLimit("waiting for PAM")

  private let user: String
  private let password: SecretBox?
  private let told: Told
  private let reader: Reader
  private let passed: PassedPAMChecks?
  private let ended: Ended

  /// What the fingerprint service knows. pam_fprintd returns the same code for all of these.
  public enum FingerprintReader: Sendable {
    /// There is no reader, or it is unknown whether there is one.
    case missing
    /// There is a reader, and no finger is enrolled.
    case knowsNobody
    /// There is a reader, and the account has enrolled fingers.
    case knowsSomebody
  }

  /// A closure in its own type, so that it can be stored.
  struct Reader: Sendable { let look: @Sendable () -> FingerprintReader }

  struct Ended: Sendable { let hear: @Sendable () -> Void }

  /// A closure in its own type, so that it can be stored.
  struct Told: Sendable { let say: @Sendable (String) -> Void }

  /// - Parameters:
  ///   - user: the name of the account whose password or finger is checked.
  ///   - password: the answer to a hidden question; nil when there is none.
  ///   - told: shows a message to the person: "Place your finger on the reader". Called on another thread, at most 64 times with
  ///     512 bytes each.
  ///   - reader: asked when PAM reports that it has no information, to give the right reason.
  ///   - passed: the checks that need not be repeated.
  ///   - ended: called when nothing more is asked, so that the messages can be removed.
  public init(
    user: String, password: SecretBox?, reader: @escaping @Sendable () -> FingerprintReader = { .missing },
    passed: PassedPAMChecks? = nil,
    ended: @escaping @Sendable () -> Void = {},
    told: @escaping @Sendable (String) -> Void
  ) {
    (self.user, self.password, self.passed) = (user, password, passed)
    (self.told, self.reader, self.ended) = (Told(say: told), Reader(look: reader), Ended(hear: ended))
  }

  /// Whether the text is a valid service name: a file name in /etc/pam.d that does not lead out of that folder.
  public static func isName(_ service: String) -> Bool {
    !service.isEmpty && service.utf8.count <= maximumServiceLength && service.utf8.first != UInt8(ascii: ".")
      && service.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
          UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
          true
        default: false
        }
      }
  }

  /// Asks the service who the person is, and whether the account may be used.
  /// - Throws: `.authenticationFailed`, `.biometryNotAvailable` (no device), `.biometryNotEnrolled`, `.biometryLockout` (too many
  ///   attempts), `.userCancelled` (also when no finger came in time), `.interactionNotAllowed` (a question that nobody can
  ///   answer), `.notPresent`, `.deviceFailed`.
  public func pass(service: String) throws(KeyStoreError) {
    guard Self.isName(service) else { throw .corrupt("the name of the PAM service") }
    if passed?.has(service) == true { return }
    guard let library = PAMLibrary.shared else { throw .notPresent("PAM") }
    defer { ended.hear() }
    try Self.calls.run(milliseconds: Self.milliseconds) { [self] () throws(KeyStoreError) in
      let conversation = Conversation(password: password, told: told)
      try ask(library, service, conversation)
    }
    passed?.passed(service)
  }

  /// - Parameters:
  ///   - service: empty for a slot without a check.
  ///   - check: nil when nobody can answer.
  static func pass(_ service: String, _ check: PAMCheck?) throws(KeyStoreError) {
    guard !service.isEmpty else { return }
    guard let check else { throw .interactionNotAllowed }
    try check.pass(service: service)
  }

  private func ask(_ library: PAMLibrary, _ service: String, _ conversation: Conversation) throws(KeyStoreError) {
    var pam: OpaquePointer?
    var callback = pam_conv(conv: converse, appdata_ptr: Unmanaged.passUnretained(conversation).toOpaque())
    let status = withExtendedLifetime(conversation) { () -> Int32 in
      var status = library.functions.start(service, user, &callback, &pam)
      if status == PAM_SUCCESS { status = library.functions.authenticate(pam, PAM_SILENT_NOT) }
      if status == PAM_SUCCESS { status = library.functions.acct_mgmt(pam, PAM_SILENT_NOT) }
      _ = library.functions.end(pam, status)
      return status
    }
    guard status != PAM_SUCCESS else { return }
    if conversation.hadNoAnswer { throw .interactionNotAllowed }
    throw reason(status, conversation)
  }

  // pam_fprintd returns PAM_AUTHINFO_UNAVAIL when a reader, enrolled fingers or a finger in time are missing, and PAM_MAXTRIES
  // for a single wrong finger of a service that allows one attempt.
  private func reason(_ status: Int32, _ conversation: Conversation) -> KeyStoreError {
    switch status {
    case PAM_MAXTRIES where conversation.faults == 1: return .authenticationFailed(triesLeft: nil, waitSeconds: 0)
    case PAM_AUTHINFO_UNAVAIL:
      switch reader.look() {
      case .missing: return .biometryNotAvailable
      case .knowsNobody: return .biometryNotEnrolled
      case .knowsSomebody: return conversation.hasSpoken ? .userCancelled : .biometryNotAvailable
      }
    default: return KeyStoreError(pam: status)
    }
  }
}

/// No flags: messages are shown.
private let PAM_SILENT_NOT: Int32 = 0

extension KeyStoreError {
  /// The meaning of PAM's result.
  init(pam status: Int32) {
    switch status {
    case PAM_AUTH_ERR, PAM_PERM_DENIED, PAM_ACCT_EXPIRED, PAM_NEW_AUTHTOK_REQD, PAM_CRED_INSUFFICIENT:
      self = .authenticationFailed(triesLeft: nil, waitSeconds: 0)
    case PAM_AUTHINFO_UNAVAIL: self = .biometryNotAvailable
    case PAM_USER_UNKNOWN: self = .biometryNotEnrolled
    case PAM_MAXTRIES: self = .biometryLockout
    case PAM_CONV_ERR, PAM_ABORT: self = .userCancelled
    default: self = .deviceFailed("the PAM service", code: UInt64(UInt32(bitPattern: status)))
    }
  }
}
