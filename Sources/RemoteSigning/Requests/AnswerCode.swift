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
