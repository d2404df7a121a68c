internal import SecretMemory

/// The challenges that were given out: each is for one purpose, one address and one use.
struct PasskeyChallenges {
  enum Purpose: Equatable {
    case signIn
    /// By this session.
    case add(session: String)
  }

  static let bytes = 32
  static let lifeMilliseconds: Int64 = 5 * 60_000
  /// Open at once; a further one closes the oldest.
  static let most = 64

  private struct Open {
    let bytes: [UInt8]
    let purpose: Purpose
    let origin: ConsoleOrigin
    let expires: Int64
  }

  private var open: [Open] = []

  mutating func make(for purpose: Purpose, at origin: ConsoleOrigin, now: ConsoleTime) -> [UInt8] {
    open.removeAll { $0.expires <= now.steady }
    if open.count >= Self.most { open.removeFirst() }
    let fresh = Open(
      bytes: SystemRandom.bytes(Self.bytes), purpose: purpose, origin: origin, expires: now.steady + Self.lifeMilliseconds)
    open.append(fresh)
    return fresh.bytes
  }

  /// Uses a challenge up, whatever comes of it.
  mutating func spend(_ bytes: [UInt8], for purpose: Purpose, at origin: ConsoleOrigin, now: ConsoleTime) throws(PasskeyFault) {
    guard let index = open.firstIndex(where: { $0.bytes == bytes }) else { throw .challengeUnknown }
    let challenge = open.remove(at: index)
    guard challenge.purpose == purpose, challenge.origin == origin, challenge.expires > now.steady else {
      throw .challengeUnknown
    }
  }
}
