import Sockets

/// The state of one relay of a pool.
public struct RelayHealth: Sendable, Hashable {
  /// The state of the connection.
  public enum State: String, Sendable { case connecting, connected, waiting }

  /// What a connected relay says to the pool's subscriptions. They stay confirmed while they are changed, unless it does not confirm the change.
  public enum Subscriptions: String, Sendable {
    /// It may still answer.
    case asked
    /// It has confirmed all of them (EOSE), or is asked for nothing.
    case confirmed
    /// It has not answered in time.
    case unanswered
  }

  /// The relay's address in normal form.
  public let url: String
  /// The state of the connection.
  public internal(set) var state = State.connecting
  /// When the state last changed, in seconds since 1970.
  public internal(set) var since: Int64
  /// Since when every try to connect has failed, in seconds since 1970; nil while it is connected, and before the first failure.
  public internal(set) var awaySince: Int64?
  /// Why the connection was last lost, in words.
  public internal(set) var lastError: String?
  /// Whether the reason was that the relay lies inside the owner's network and the owner has not allowed that.
  public internal(set) var isRefusedInside = false
  /// The relay's last notice, shortened and with unusual characters replaced.
  public internal(set) var lastNotice: String?
  /// Why the relay does not take a subscription, shortened like a notice; nil while it takes all of them.
  public internal(set) var refusal: String?
  /// What it says to the subscriptions.
  public internal(set) var subscriptions = Subscriptions.asked
  /// How long the last OK took, in milliseconds.
  public internal(set) var lastOK: Int?
  /// Events received.
  public internal(set) var received = 0
  /// Answers that the relay accepted.
  public internal(set) var published = 0
  /// Answers that the relay refused or did not accept in time.
  public internal(set) var refused = 0
  /// How often the relay was connected.
  public internal(set) var connects = 0
  /// The last day, an hour at a time.
  public internal(set) var history = RelayHistory()

  /// A relay that was just added.
  init(url: String, now: Int64) { (self.url, since) = (url, now) }

}
