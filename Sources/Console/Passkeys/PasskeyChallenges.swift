internal import SecretMemory

/// The challenges that were given out: each is for one purpose, one address and one use.
struct PasskeyChallenges {
  enum Purpose: Equatable {
    case signIn
    /// By this session.
    case add(session: String)
    /// To let a passkey unlock the keys, asked for by this session.
    case enrol(session: String)
    /// To show that it is the owner who wants an operation done, asked for by this session.
    case prove(session: String)
  }

  /// What was given out with a challenge, and is remembered with it.
  struct Given {
    let challenge: [UInt8]
    /// 32 random bytes: the input of the PRF that the passkey is to open its slot by from now on.
    let salt: [UInt8]
  }

  static let bytes = 32
  static let lifeMilliseconds: Int64 = 5 * 60_000
  /// Open at once, of those who are signed in; a further one closes the oldest.
  static let most = 64

  private struct Open {
    let given: Given
    let purpose: Purpose
    let origin: ConsoleOrigin
    let expires: Int64
  }

  private var open: [Open] = []
  private var signIns = SignInChallenges()

  mutating func make(for purpose: Purpose, at origin: ConsoleOrigin, now: ConsoleTime) -> Given {
    if purpose == .signIn { return signIns.make(at: origin, now: now) }
    open.removeAll { $0.expires <= now.steady }
    if open.count >= Self.most { open.removeFirst() }
    let given = Given(challenge: SystemRandom.bytes(Self.bytes), salt: SystemRandom.bytes(PasskeySlot.saltBytes))
    open.append(Open(given: given, purpose: purpose, origin: origin, expires: now.steady + Self.lifeMilliseconds))
    return given
  }

  /// Uses a challenge up, whatever comes of it.
  @discardableResult
  mutating func spend(
    _ bytes: [UInt8], for purpose: Purpose, at origin: ConsoleOrigin, now: ConsoleTime
  ) throws(PasskeyError) -> Given {
    if purpose == .signIn { return try signIns.spend(bytes, at: origin, now: now) }
    guard let index = open.firstIndex(where: { $0.given.challenge == bytes }) else { throw .challengeUnknown }
    let challenge = open.remove(at: index)
    guard challenge.purpose == purpose, challenge.origin == origin, challenge.expires > now.steady else {
      throw .challengeUnknown
    }
    return challenge.given
  }

  /// A right answer to a challenge came. Throws for the second one to the same.
  mutating func answer(_ given: Given, for purpose: Purpose, now: ConsoleTime) throws(PasskeyError) {
    if purpose == .signIn { try signIns.answer(given.challenge, now: now) }
  }
}
