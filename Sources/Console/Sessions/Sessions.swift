internal import Ciphers
internal import Encodings
internal import SecretMemory

/// Somebody who signed in, in one browser.
struct ConsoleSession: Sendable, Equatable {
  /// Names it in lists; opens nothing. 16 hex digits.
  let id: String
  var by: SignInMeans
  /// What the browser says it is: untrusted, made printable.
  let agent: String
  let made: ConsoleTime
  var lastSeen: ConsoleTime
  /// When the owner last showed, and did not merely have a cookie, that it is them.
  var proven: ConsoleTime
  /// The passkey it was signed in with, by its name in lists; nil for a link.
  var passkey: String?
}

/// The sessions of the console, in memory only: a restart signs out, and a passkey signs in again.
///
/// A session is opened by a token of 256 random bits that the browser holds in a cookie. Here its hash stands for it, so what
/// memory shows opens nothing.
struct Sessions {
  /// Milliseconds without a request after which a session ends.
  static let idleMilliseconds: Int64 = 12 * 3_600_000
  /// Milliseconds after which it ends in any case.
  static let longestMilliseconds: Int64 = 7 * 24 * 3_600_000
  /// Milliseconds for which a sign-in counts as recent, for what needs one.
  static let recentMilliseconds: Int64 = 10 * 60_000
  /// Sessions at once; a further one ends the one that was not seen for the longest time.
  static let most = 32
  /// Bytes of a token.
  static let tokenBytes = 32

  private var byHash: [Bytes32: ConsoleSession] = [:]

  /// A new session.
  /// - Returns: its token, and the session that had to go for it.
  mutating func open(
    by means: SignInMeans, agent: String, now: ConsoleTime
  ) -> (
    token: String, session: ConsoleSession, crowdedOut: ConsoleSession?
  ) {
    var crowdedOut: ConsoleSession?
    if byHash.count >= Self.most, let oldest = byHash.min(by: { $0.value.lastSeen.steady < $1.value.lastSeen.steady }) {
      crowdedOut = oldest.value
      byHash[oldest.key] = nil
    }
    let token = Base64URL.string(SystemRandom.bytes(Self.tokenBytes))
    let session = ConsoleSession(
      id: Hex.encode(SystemRandom.bytes(8)), by: means, agent: agent, made: now, lastSeen: now, proven: now)
    byHash[Self.hash(token)] = session
    return (token, session, crowdedOut)
  }

  /// The session that a token opens, seen now. Nil for any other text, and for a session that is over.
  mutating func use(_ token: String, now: ConsoleTime) -> ConsoleSession? {
    let hash = Self.hash(token)
    guard var session = byHash[hash], !Self.isOver(session, now: now) else { return nil }
    session.lastSeen = now
    byHash[hash] = session
    return session
  }

  /// The owner signed in where a session was open already: it goes on under a new token, and the old one opens nothing.
  /// - Returns: nil when the old token opens no session.
  mutating func renew(_ token: String, by means: SignInMeans, now: ConsoleTime) -> (token: String, session: ConsoleSession)? {
    guard var session = use(token, now: now) else { return nil }
    byHash[Self.hash(token)] = nil
    (session.by, session.proven) = (means, now)
    let fresh = Base64URL.string(SystemRandom.bytes(Self.tokenBytes))
    byHash[Self.hash(fresh)] = session
    return (fresh, session)
  }

  /// Notes what a session was signed in with.
  mutating func note(_ id: String, passkey: String?) {
    if let hash = byHash.first(where: { $0.value.id == id })?.key { byHash[hash]?.passkey = passkey }
  }

  /// Ends what was signed in with a passkey, but for one session.
  mutating func endAll(by passkey: String, except kept: String?) -> [ConsoleSession] {
    let gone = byHash.filter { $0.value.passkey == passkey && $0.value.id != kept }
    for hash in gone.keys { byHash[hash] = nil }
    return Array(gone.values)
  }

  /// - Returns: the session that ended; nil when there is none of that name.
  mutating func end(_ id: String) -> ConsoleSession? {
    guard let (hash, session) = byHash.first(where: { $0.value.id == id }) else { return nil }
    byHash[hash] = nil
    return session
  }

  /// Ends those whose time is over.
  mutating func endOld(now: ConsoleTime) -> [ConsoleSession] {
    let old = byHash.filter { Self.isOver($0.value, now: now) }
    for hash in old.keys { byHash[hash] = nil }
    return Array(old.values)
  }

  /// Ends all of them.
  mutating func endAll() -> [ConsoleSession] {
    defer { byHash = [:] }
    return Array(byHash.values)
  }

  /// All that hold, latest first.
  func all(now: ConsoleTime) -> [ConsoleSession] {
    byHash.values.filter { !Self.isOver($0, now: now) }.sorted { ($0.made.steady, $0.id) > ($1.made.steady, $1.id) }
  }

  static func isOver(_ session: ConsoleSession, now: ConsoleTime) -> Bool {
    now.steady - session.lastSeen.steady >= idleMilliseconds || now.steady - session.made.steady >= longestMilliseconds
  }

  static func isProvenRecently(_ session: ConsoleSession, now: ConsoleTime) -> Bool {
    now.steady - session.proven.steady < recentMilliseconds
  }

  /// What stands for a token.
  static func hash(_ token: String) -> Bytes32 { SHA256.digest(of: Array(token.utf8)) }
}
