public import Curve
public import Nostr

/// The order in which requests are processed that were fetched together.
public enum RequestOrder {
  /// What an app sends to a link comes first: it pairs the app, whose other requests would be refused before. Then the oldest.
  /// - Parameter links: the keys of links that no app has used.
  public static func ordered(_ events: [Event], links: Set<PublicKey>) -> [Event] {
    func rank(_ event: Event) -> Int { SigningEngine.recipient(of: event).map { links.contains($0) ? 0 : 1 } ?? 2 }
    return events.sorted { (rank($0), $0.createdAt) < (rank($1), $1.createdAt) }
  }
}
