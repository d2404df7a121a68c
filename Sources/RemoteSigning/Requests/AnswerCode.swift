/// Why a request of a program on this machine was not carried out, as one stable word for programs. `ReplyText` has the sentences for
/// people.
public enum AnswerCode: String, Sendable, CaseIterable {
  /// The request or its parameters cannot be read.
  case invalid
  /// It is longer than what is taken.
  case tooLarge = "too-large"
  /// The owner denied it.
  case denied
  /// The keys are locked away.
  case locked
  /// More requests came, or wait, than are taken.
  case rateLimited = "rate-limited"
  /// The rules do not allow it.
  case notAllowed = "not-allowed"
  /// There is no such identity, or it is retired.
  case noKey = "no-key"
  /// It ended without an answer. It may be asked again.
  case expired
  /// There is no such method.
  case unsupported

  /// The code of an answer's error.
  public init(of error: String) {
    self = Self.codes[error] ?? (error.hasPrefix(ReplyText.unsupported("")) ? .unsupported : .invalid)
  }

  /// What a program reads: the same sentence, but for those that speak of links or of NIP-46.
  public static func sentence(for error: String) -> String { sentences[error] ?? error }

  /// What a program reads that asked to sign something else.
  public static let needsEvent = "sign needs an event: {kind, content, tags}, and perhaps created_at"

  private static let sentences = [
    ReplyText.pairingEnded: "the signer's owner took back what this program may do",
    ReplyText.notAnEvent: needsEvent,
    ReplyText.notAKey: "“pubkey” must be the other person's public key, 64 hex digits",
  ]

  private static let codes: [String: AnswerCode] = [
    ReplyText.userRejected: .denied,
    ReplyText.notPermitted: .notAllowed, ReplyText.signersEnvelope: .notAllowed,
    ReplyText.retired: .noKey,
    ReplyText.locked: .locked, ReplyText.justStarted: .locked,
    ReplyText.tooMany: .rateLimited, ReplyText.limitUsedUp: .rateLimited, ReplyText.shareUsedUp: .rateLimited,
    ReplyText.queueFull: .rateLimited,
    ReplyText.unanswered: .expired, ReplyText.forgotten: .expired, ReplyText.pairingEnded: .expired,
    ReplyText.notStored: .expired,
    ReplyText.tooLong: .tooLarge,
  ]
}
