import Ciphers
import Encodings
import SecretMemory

/// One sign-in, in one browser.
struct ConsoleSession: Sendable, Equatable {
  /// Its name in lists, 16 hex digits. It does not open the session.
  let id: String
  var by: SignInMeans
  /// The user agent of the browser: untrusted, made printable.
  let agent: String
  let made: ConsoleTime
  var lastSeen: ConsoleTime
  /// When the owner last proved who they are, beyond having the cookie.
  var proven: ConsoleTime
  /// It was proven by a link while the signer was locked. Such a proof is none once the signer is unlocked, unless this browser
  /// unlocked it: whoever had the link then has shown no credential.
  var isProvenWhileLocked = false
  /// The list name of the passkey that signed in. Nil for a link.
  var passkey: String?
}

/// The sessions of the console, in memory only. A restart ends them, and a passkey signs in again.
///
/// The browser holds a token of 256 random bits in a cookie. Only the token's hash is stored here, so the contents of memory open
/// no session.
struct Sessions {
  /// Milliseconds without a request after which a session ends.
  static let idleMilliseconds: Int64 = 12 * 3_600_000
  /// Milliseconds after which a session always ends.
  static let longestMilliseconds: Int64 = 7 * 24 * 3_600_000
  /// Milliseconds for which a sign-in counts as recent.
  static let recentMilliseconds: Int64 = 10 * 60_000
  /// Sessions at once. A further one ends the session that was not used for the longest time.
  static let most = 32
  /// Bytes of a token.
  static let tokenBytes = 32

  private var byHash: [Bytes32: ConsoleSession] = [:]

  /// Opens a session.
  /// - Returns: its token, and the session that was ended for it.
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

  /// The session that a token opens, marked as used now. Nil for any other text, and for an ended session.
  mutating func use(_ token: String, now: ConsoleTime) -> ConsoleSession? {
    let hash = Self.hash(token)
    guard var session = byHash[hash], !Self.isOver(session, now: now) else { return nil }
    session.lastSeen = now
    byHash[hash] = session
    return session
  }

  /// Continues an open session under a new token, after the owner signed in again. The old token is no longer valid.
  /// - Returns: nil when the old token opens no session.
  mutating func renew(_ token: String, by means: SignInMeans, now: ConsoleTime) -> (token: String, session: ConsoleSession)? {
    guard var session = use(token, now: now) else { return nil }
    byHash[Self.hash(token)] = nil
    (session.by, session.proven) = (means, now)
    let fresh = Base64URL.string(SystemRandom.bytes(Self.tokenBytes))
    byHash[Self.hash(fresh)] = session
    return (fresh, session)
  }

  /// Notes which passkey signed a session in.
  mutating func note(_ id: String, passkey: String?) {
    if let hash = byHash.first(where: { $0.value.id == id })?.key { byHash[hash]?.passkey = passkey }
  }

  /// Notes whether a session's proof counts only as long as the signer stays locked.
  mutating func note(_ id: String, isProvenWhileLocked: Bool) {
    if let hash = byHash.first(where: { $0.value.id == id })?.key { byHash[hash]?.isProvenWhileLocked = isProvenWhileLocked }
  }

  /// Notes that the owner has just shown the passphrase in a session.
  /// - Returns: false if it has ended in the meantime.
  mutating func prove(_ id: String, now: ConsoleTime) -> Bool {
    guard let hash = byHash.first(where: { $0.value.id == id })?.key else { return false }
    byHash[hash]?.proven = now
    byHash[hash]?.isProvenWhileLocked = false
    return true
  }

  /// Ends all sessions of a passkey, except one.
  mutating func endAll(by passkey: String, except kept: String?) -> [ConsoleSession] {
    let gone = byHash.filter { $0.value.passkey == passkey && $0.value.id != kept }
    for hash in gone.keys { byHash[hash] = nil }
    return Array(gone.values)
  }

  /// - Returns: the ended session; nil when there is none of that name.
  mutating func end(_ id: String) -> ConsoleSession? {
    guard let (hash, session) = byHash.first(where: { $0.value.id == id }) else { return nil }
    byHash[hash] = nil
    return session
  }

  /// Ends expired sessions.
  mutating func endOld(now: ConsoleTime) -> [ConsoleSession] {
    let old = byHash.filter { Self.isOver($0.value, now: now) }
    for hash in old.keys { byHash[hash] = nil }
    return Array(old.values)
  }

  /// Ends all sessions.
  mutating func endAll() -> [ConsoleSession] {
    defer { byHash = [:] }
    return Array(byHash.values)
  }

  /// All valid sessions, latest first.
  func all(now: ConsoleTime) -> [ConsoleSession] {
    byHash.values.filter { !Self.isOver($0, now: now) }.sorted { ($0.made.steady, $0.id) > ($1.made.steady, $1.id) }
  }

  static func isOver(_ session: ConsoleSession, now: ConsoleTime) -> Bool {
    now.steady - session.lastSeen.steady >= idleMilliseconds || now.steady - session.made.steady >= longestMilliseconds
  }

  static func isProvenRecently(_ session: ConsoleSession, now: ConsoleTime, isLocked: Bool) -> Bool {
    now.steady - session.proven.steady < recentMilliseconds && (isLocked || !session.isProvenWhileLocked)
  }

  /// The hash that is stored for a token.
  static func hash(_ token: String) -> Bytes32 { SHA256.digest(of: Array(token.utf8)) }
}
