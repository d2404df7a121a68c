import Ciphers
public import Curve
public import Encodings

/// The owner's answer to one request. It is kept for a few minutes. An app that missed the answer may ask the same again under a
/// new id and gets the same answer.
///
/// The second answer gives the app nothing that the first did not: the same event by its id, the same plaintext.
public struct OwnerAnswer: Hashable, Sendable {
  /// How long a refusal holds, in seconds: an app that gives up after 65 s asks once more.
  public static let refusalWindow: Int64 = 75
  /// How long an approval holds, in seconds: an app that comes back from a broken connection.
  public static let approvalWindow: Int64 = 300

  /// The id of the first event that asked.
  public let eventID: Bytes32
  /// The pairing's own key.
  public let remoteSigner: PublicKey
  /// Digest of the request.
  public let question: Bytes32
  /// The owner's decision.
  public let isApproved: Bool
  /// When it was asked first, seconds since 1970.
  public let askedAt: Int64
  /// Seconds since 1970.
  public let answeredAt: Int64

  /// An answer with all its parts.
  public init(
    eventID: Bytes32, remoteSigner: PublicKey, question: Bytes32, isApproved: Bool, askedAt: Int64, answeredAt: Int64
  ) {
    (self.eventID, self.remoteSigner, self.question) = (eventID, remoteSigner, question)
    (self.isApproved, self.askedAt, self.answeredAt) = (isApproved, askedAt, answeredAt)
  }

  /// The answer to a waiting request.
  public init(to request: PendingRequest, isApproved: Bool, answeredAt: Int64) {
    self.init(
      eventID: request.eventID, remoteSigner: request.remoteSigner, question: request.question, isApproved: isApproved,
      askedAt: request.receivedAt, answeredAt: answeredAt)
  }

  /// Whether it still holds. It does not hold before it was given: after the clock is set back, it would last too long.
  func holds(at now: Int64) -> Bool {
    let (age, overflow) = now.subtractingReportingOverflow(answeredAt)
    return !overflow && age >= -Self.toleratedStep && age <= (isApproved ? Self.approvalWindow : Self.refusalWindow)
  }

  static let toleratedStep: Int64 = 30
}

extension PendingRequest {
  /// SHA-256 of the method and the parameters, each with its length before it: alike for the same question, whatever its id.
  public var question: Bytes32 {
    var text: [UInt8] = []
    for part in [Array(method.rawValue.utf8)] + parameters {
      withUnsafeBytes(of: UInt64(part.count).bigEndian) { text.append(contentsOf: $0) }
      text += part
    }
    return SHA256.digest(of: text)
  }
}
