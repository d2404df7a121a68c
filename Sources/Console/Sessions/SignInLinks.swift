import Ciphers
import Encodings
import SecretMemory
import Sockets

/// Links that sign in once, made for the owner on the command line. In memory only.
struct SignInLinks {
  /// Milliseconds that a link is valid.
  static let lifeMilliseconds: Int64 = 10 * 60_000
  /// Open links. A further one closes the oldest.
  static let most = 8

  /// What became of a token that a browser sent.
  enum Use: Equatable {
    case spent
    /// No link of this run.
    case none
    /// It signed a browser in before.
    case usedBefore
    /// It was a link that nobody used in time, or that was closed.
    case closed
    /// The link is for another user of this machine. It is still good.
    case anothers
  }

  private struct Link {
    let hash: Bytes32
    let expires: Int64
    /// The one user of this machine whose browser the link signs in. Nil for any browser.
    let uid: UInt32?
  }

  private var open: [Link] = []
  /// The last ones that signed a browser in, the oldest first.
  private var used: [Bytes32] = []
  /// The last ones that signed nobody in before they were closed, the oldest first.
  private var closed: [Bytes32] = []

  /// Makes a token: 256 random bits in base64url.
  /// - Parameter uid: the one user of this machine whose browser it signs in, for a link that others can see for a moment. Nil for
  ///   any browser.
  mutating func make(for uid: UInt32? = nil, now: ConsoleTime) -> String {
    let token = Self.newToken()
    take(token, for: uid, now: now)
    return token
  }

  /// A token that no link has yet.
  static func newToken() -> String { Base64URL.string(SystemRandom.bytes(Sessions.tokenBytes)) }

  /// Opens a link with a token that was made before.
  mutating func take(_ token: String, for uid: UInt32? = nil, now: ConsoleTime) {
    close { $0.expires <= now.steady }
    if let oldest = open.first, open.count >= Self.most { close { $0.hash == oldest.hash } }
    open.append(Link(hash: SHA256.digest(of: Array(token.utf8)), expires: now.steady + Self.lifeMilliseconds, uid: uid))
  }

  /// Invalidates every link.
  mutating func closeAll() { close { _ in true } }

  private mutating func close(where isOver: (Link) -> Bool) {
    closed = (closed + open.filter(isOver).map(\.hash)).suffix(Self.most)
    open.removeAll(where: isOver)
  }

  /// Uses a token up, unless it is for somebody else. Hashes are compared, so the time taken reveals nothing.
  mutating func spend(_ token: String, by holder: Holder, now: ConsoleTime) -> Use {
    let hash = SHA256.digest(of: Array(token.utf8))
    guard let index = open.firstIndex(where: { $0.hash == hash }) else {
      return used.contains(hash) ? .usedBefore : closed.contains(hash) ? .closed : .none
    }
    if let uid = open[index].uid, !holder.isProcess(of: uid) { return .anothers }
    guard open[index].expires > now.steady else {
      close { $0.hash == hash }
      return .closed
    }
    open.remove(at: index)
    used = used.suffix(Self.most - 1) + [hash]
    return .spent
  }
}

extension Holder {
  /// Whether the kernel says that the other end is a process of this user.
  fileprivate func isProcess(of uid: UInt32) -> Bool {
    guard case .processes(uid, _) = self else { return false }
    return true
  }
}
