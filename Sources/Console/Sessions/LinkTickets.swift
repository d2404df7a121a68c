import Ciphers
import Encodings
import SecretMemory

/// Tickets with which a page of the console leads its own browser to a signing link, each once. In memory only.
///
/// The cookie alone is not enough there: a browser sends it to every port of this host. Only a page of ours has the CSRF token that a ticket
/// costs.
struct LinkTickets {
  /// Milliseconds that a ticket is valid.
  static let lifeMilliseconds: Int64 = 60_000
  /// The most tickets at once. A further one ends the oldest.
  static let most = 32

  private var open: [(hash: Bytes32, session: String, expires: Int64)] = []

  /// - Parameter session: the list name of the session that it is for.
  mutating func make(for session: String, now: ConsoleTime) -> String {
    open.removeAll { $0.expires <= now.steady }
    if open.count >= Self.most { open.removeFirst() }
    let ticket = Base64URL.string(SystemRandom.bytes(Sessions.tokenBytes))
    open.append((Sessions.hash(ticket), session, now.steady + Self.lifeMilliseconds))
    return ticket
  }

  /// Uses up a ticket, so that it counts once. A ticket of another session is left alone.
  /// - Returns: whether it was this session's, and still valid.
  mutating func spend(_ ticket: String, by session: String, now: ConsoleTime) -> Bool {
    let hash = Sessions.hash(ticket)
    guard let index = open.firstIndex(where: { $0.hash == hash && $0.session == session }) else { return false }
    return open.remove(at: index).expires > now.steady
  }
}
