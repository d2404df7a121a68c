import Curve
import Encodings

/// The owner's answers of the last minutes, the oldest first.
struct AnswerMemory {
  /// The most answers that are kept; the oldest goes first.
  static let maximumKept = 512

  private var answers: [OwnerAnswer] = []
  /// Names of answers that were forgotten since the last check and are still stored.
  private var gone: [Bytes32] = []

  mutating func remember(_ answer: OwnerAnswer) {
    answers.removeAll { $0.eventID == answer.eventID }
    answers.append(answer)
    if answers.count > Self.maximumKept { gone.append(answers.removeFirst().eventID) }
  }

  /// The latest answer to this question that still holds.
  func answer(to question: Bytes32, at remoteSigner: PublicKey, now: Int64) -> OwnerAnswer? {
    answers.last { $0.question == question && $0.remoteSigner == remoteSigner && $0.holds(at: now) }
  }

  /// Whether anything is remembered about a pairing, so that the digest need not be made in vain.
  func knows(_ remoteSigner: PublicKey) -> Bool { answers.contains { $0.remoteSigner == remoteSigner } }

  mutating func forget(_ eventID: Bytes32) { remove { $0.eventID == eventID } }

  mutating func forget(_ remoteSigner: PublicKey) { remove { $0.remoteSigner == remoteSigner } }

  /// Forgets every yes, of one pairing or of all, so that requests allowed before a suspension are asked again. Keeps every no.
  mutating func forgetApprovals(of remoteSigner: PublicKey? = nil) {
    remove { $0.isApproved && (remoteSigner == nil || $0.remoteSigner == remoteSigner) }
  }

  mutating func expire(now: Int64) -> [Bytes32] {
    remove { !$0.holds(at: now) }
    defer { gone = [] }
    return gone
  }

  private mutating func remove(_ isOver: (OwnerAnswer) -> Bool) {
    gone += answers.filter(isOver).map(\.eventID)
    answers.removeAll(where: isOver)
  }
}
