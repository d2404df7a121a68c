public import Curve
public import Encodings
public import RemoteSigning

/// One request that reached the extension, with the decision about it and what became of it.
public struct JournalEntry: Hashable, Sendable {
  /// How far it got.
  public enum Fate: Hashable, Sendable {
    /// It was accepted and recorded. An answer may have been lost with the process; none was sent.
    case begun
    /// An answer was made. Whether it was sent is not known.
    case made
    /// A relay took the answer.
    case sent
    /// No relay took the answer in time.
    case notSent
    /// It was not accepted; its sender got an error, or nothing.
    case refused(DropReason)
  }

  /// What was signed at a coordinate, with this request.
  public struct Signed: Hashable, Sendable {
    /// As `SignedCoordinate.id` gives it.
    public let id: Bytes32
    /// With all that was signed there before, as far as the extension knows.
    public let coordinate: SignedCoordinate
  }

  /// When it was recorded, milliseconds since 1970.
  public let time: Int64
  /// The request event's id.
  public let eventID: Bytes32
  /// The request event's own time, seconds since 1970.
  public let createdAt: Int64
  /// The key that it was addressed to.
  public let remoteSigner: PublicKey
  /// The author of the request.
  public let client: PublicKey
  /// The identity concerned.
  public internal(set) var identity: PublicKey?
  /// The operation. Nil for an unknown method.
  public internal(set) var method: Method?
  /// The kind of the event to sign.
  public internal(set) var kind: Int?
  /// The decision of the rules. Nil if they were not asked.
  public internal(set) var decision: Decision?
  /// The request itself, if it waits for the owner.
  public internal(set) var waiting: PendingRequest?
  /// The pairing that was made by it.
  public internal(set) var pairing: Pairing?
  /// What its app has used up since.
  public internal(set) var usage: Usage?
  /// What was signed at a coordinate.
  public internal(set) var signed: Signed?
  /// How far it got.
  public internal(set) var fate = Fate.begun
  /// The id of the event that was signed.
  public internal(set) var signedEvent: Bytes32?
  /// Whether the answer is an error.
  public internal(set) var failed = false
  /// Whether the app left with it, and its pairing ended.
  public internal(set) var hasLeft = false
  /// Whether the owner was told of it by a notification.
  public internal(set) var isTold = false

  init(time: Int64, eventID: Bytes32, createdAt: Int64, remoteSigner: PublicKey, client: PublicKey) {
    (self.time, self.eventID, self.createdAt) = (time, eventID, createdAt)
    (self.remoteSigner, self.client) = (remoteSigner, client)
  }
}
