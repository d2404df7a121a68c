internal import CPAM
internal import Platform
public import SecretMemory
public import Vault

/// A question to PAM before a slot is opened: the login password, a fingerprint, whatever the service's file asks for.
///
/// PAM only answers yes or no, to this program. No key depends on the answer: whoever can change this program, or read the slot's
/// other half without it, does not pass here. It keeps out somebody who sits at an unlocked desk, not somebody who has the files.
public struct PAMCheck: Sendable {
  /// The longest service name, in bytes.
  public static let maximumServiceLength = 64
  /// For an answer: a fingerprint reader waits for a finger.
  static let milliseconds = 60_000
  private static let calls = TimeLimit("waiting for PAM")

  private let user: String
  private let password: SecretBox?
  private let told: Told
  private let reader: Reader
  private let passed: PassedPAMChecks?
  private let ended: Ended

  /// What the fingerprint service knows. pam_fprintd has one answer for all of these.
  public enum FingerprintReader: Sendable {
    /// There is none, or that is not known.
    case missing
    /// There is one, and nobody's finger is enrolled.
    case knowsNobody
    /// There is one, with fingers of the account.
    case knowsSomebody
  }

  /// A closure in a type of its own, so that it may be kept.
  struct Reader: Sendable { let look: @Sendable () -> FingerprintReader }

  struct Ended: Sendable { let hear: @Sendable () -> Void }

  /// A closure in a type of its own, so that it may be kept.
  struct Told: Sendable { let say: @Sendable (String) -> Void }

  /// - Parameters:
  ///   - user: whose password or finger; the account's name.
  ///   - password: the answer to a question that is not to be seen; nil when there is none.
  ///   - told: shown to the person: "Place your finger on the reader". Called on another thread, at most 64 times of 512 bytes.
  ///   - reader: asked when PAM says that it has no information, so that the right reason can be given.
  ///   - passed: what need not be asked again.
  ///   - ended: called when nothing more is asked, so that what was shown can go.
  public init(
    user: String, password: SecretBox?, reader: @escaping @Sendable () -> FingerprintReader = { .missing }, passed: PassedPAMChecks? = nil,
    ended: @escaping @Sendable () -> Void = {},
    told: @escaping @Sendable (String) -> Void
  ) {
    (self.user, self.password, self.passed) = (user, password, passed)
    (self.told, self.reader, self.ended) = (Told(say: told), Reader(look: reader), Ended(hear: ended))
  }

  /// Whether a service may be called that: the name of a file in /etc/pam.d, without a way out of that folder.
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

  /// Asks the service who this is, and whether the account may be used.
  /// - Throws: `.authenticationFailed`, `.biometryNotAvailable` (no device), `.biometryNotEnrolled`, `.biometryLockout` (too many
  ///   tries), `.userCancelled` (also when no finger came in time), `.interactionNotAllowed` (a question that nobody is there to answer), `.notPresent`, `.deviceFailed`.
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
  ///   - service: empty for a slot without a gate.
  ///   - gate: nil when nobody is there.
  static func pass(_ service: String, _ gate: PAMCheck?) throws(KeyStoreError) {
    guard !service.isEmpty else { return }
    guard let gate else { throw .interactionNotAllowed }
    try gate.pass(service: service)
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

  // pam_fprintd gives PAM_AUTHINFO_UNAVAIL for want of a reader, of enrolled fingers and of a finger in time; and PAM_MAXTRIES for the
  // one wrong finger of a service that allows one.
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
  /// What PAM answered.
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
