import Ciphers
import Encodings
import SecretMemory

/// Links that sign in once, made for the owner on the command line. In memory only.
struct SignInLinks {
  /// Milliseconds that a link is valid.
  static let lifeMilliseconds: Int64 = 10 * 60_000
  /// Open links. A further one closes the oldest.
  static let most = 8

  private var open: [(hash: Bytes32, expires: Int64)] = []

  /// Makes a token: 256 random bits in base64url.
  mutating func make(now: ConsoleTime) -> String {
    open.removeAll { $0.expires <= now.steady }
    if open.count >= Self.most { open.removeFirst() }
    let token = Base64URL.string(SystemRandom.bytes(Sessions.tokenBytes))
    open.append((SHA256.digest(of: Array(token.utf8)), now.steady + Self.lifeMilliseconds))
    return token
  }

  /// Invalidates every link.
  mutating func closeAll() { open = [] }

  /// Uses a token up.
  /// - Returns: false for a token that is unknown, used or expired. Hashes are compared, so the time taken reveals nothing.
  mutating func spend(_ token: String, now: ConsoleTime) -> Bool {
    let hash = SHA256.digest(of: Array(token.utf8))
    guard let index = open.firstIndex(where: { $0.hash == hash }) else { return false }
    return open.remove(at: index).expires > now.steady
  }
}
