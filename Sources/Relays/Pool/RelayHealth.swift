internal import Sockets

/// How a pool's relay is doing.
public struct RelayHealth: Sendable, Hashable {
  /// Where the connection stands.
  public enum State: String, Sendable { case connecting, connected, waiting }

  /// The relay's address in normal form.
  public let url: String
  /// Where the connection stands.
  public internal(set) var state = State.connecting
  /// Since when, seconds since 1970.
  public internal(set) var since: Int64
  /// Why it was last lost, in words.
  public internal(set) var lastError: String?
  /// Whether that was because it lies inside the owner's network, and the owner did not say that it may.
  public internal(set) var isRefusedInside = false
  /// What the relay last said to people, cut and cleaned.
  public internal(set) var lastNotice: String?
  /// How long the last OK took, in milliseconds.
  public internal(set) var lastOK: Int?
  /// Events that came.
  public internal(set) var received = 0
  /// Answers that the relay took.
  public internal(set) var published = 0
  /// Answers that the relay refused or did not take in time.
  public internal(set) var refused = 0
  /// How often the connection was made.
  public internal(set) var connects = 0

  /// A relay that was just added.
  init(url: String, now: Int64) { (self.url, since) = (url, now) }

  /// The longest text of a relay's that is kept, in bytes.
  static let longestText = 200

  /// A relay's text fit to show: printable ASCII, cut.
  static func shown(_ text: String) -> String {
    String(decoding: text.utf8.prefix(longestText).map { $0 >= 0x20 && $0 < 0x7f ? $0 : 0x3f }, as: UTF8.self)
  }
}
