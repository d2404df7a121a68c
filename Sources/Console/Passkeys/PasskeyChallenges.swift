import SecretMemory

/// The issued challenges. Each is valid for one purpose, one address and one use.
struct PasskeyChallenges {
  enum Purpose: Equatable {
    case signIn
    /// To add a passkey, requested by this session.
    case add(session: String)
    /// To let a passkey unlock the keys, requested by this session.
    case enrol(session: String)
    /// To prove that the owner wants an operation, requested by this session.
    case prove(session: String)
  }

  /// What was issued with a challenge and is stored with it.
  struct Given {
    let challenge: [UInt8]
    /// 32 random bytes: the PRF input with which the passkey will open its slot from now on.
    let salt: [UInt8]
  }

  static let bytes = 32
  static let lifeMilliseconds: Int64 = 5 * 60_000
  /// The most open challenges of signed-in browsers. A further one closes the oldest.
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

  /// Uses a challenge up, whatever the result.
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

  /// Notes a correct answer to a challenge. Throws for a second one to the same challenge.
  mutating func answer(_ given: Given, for purpose: Purpose, now: ConsoleTime) throws(PasskeyError) {
    if purpose == .signIn { try signIns.answer(given.challenge, now: now) }
  }
}
