import Ciphers
import Encodings
import SecretMemory

/// The challenges for strangers who want to sign in. A code in each shows that it is genuine, so they need not be stored: however
/// many are requested, none displaces another.
///
/// 16 random bytes, 8 bytes of the expiry time, 32 bytes of HMAC-SHA256 over both and the address.
struct SignInChallenges {
  private static let nonceBytes = 16
  private static let codeBytes = 32
  private static let bytes = nonceBytes + 8 + codeBytes
  /// Challenges with a wrong answer that are remembered, so that a further answer is refused. This is a convenience; only a
  /// second correct answer must be prevented.
  private static let mostTried = 256

  private struct Used {
    let challenge: [UInt8]
    let expires: Int64
  }

  private let key = SystemRandom.bytes(32)
  private var tried: [Used] = []
  /// Challenges with a correct answer. Only the owner can give those, so there are few.
  private var answered: [Used] = []

  init() {}

  func make(at origin: ConsoleOrigin, now: ConsoleTime) -> PasskeyChallenges.Given {
    let expires = UInt64(bitPattern: now.steady + PasskeyChallenges.lifeMilliseconds)
    let ending = (0..<8).reversed().map { UInt8(truncatingIfNeeded: expires >> (8 * UInt64($0))) }
    let head = SystemRandom.bytes(Self.nonceBytes) + ending
    return given(head + code("sign in", head, origin), origin)
  }

  /// Checks a returned challenge. A further answer to it is refused.
  mutating func spend(
    _ challenge: [UInt8], at origin: ConsoleOrigin, now: ConsoleTime
  ) throws(PasskeyError) -> PasskeyChallenges.Given {
    guard challenge.count == Self.bytes else { throw .challengeUnknown }
    let head = Array(challenge.prefix(Self.bytes - Self.codeBytes))
    let expires = Int64(truncatingIfNeeded: head.dropFirst(Self.nonceBytes).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    guard isSame(code("sign in", head, origin), challenge.suffix(Self.codeBytes)), expires > now.steady,
      !(tried + answered).contains(where: { $0.challenge == challenge })
    else { throw .challengeUnknown }
    tried.removeAll { $0.expires <= now.steady }
    if tried.count >= Self.mostTried { tried.removeFirst() }
    tried.append(Used(challenge: challenge, expires: expires))
    return given(challenge, origin)
  }

  /// Notes a correct answer.
  /// - Throws: if it is the second one to this challenge.
  mutating func answer(_ challenge: [UInt8], now: ConsoleTime) throws(PasskeyError) {
    guard !answered.contains(where: { $0.challenge == challenge }) else { throw .challengeUnknown }
    answered.removeAll { $0.expires <= now.steady }
    answered.append(Used(challenge: challenge, expires: now.steady + PasskeyChallenges.lifeMilliseconds))
  }

  private func given(_ challenge: [UInt8], _ origin: ConsoleOrigin) -> PasskeyChallenges.Given {
    PasskeyChallenges.Given(challenge: challenge, salt: code("salt", challenge, origin))
  }

  private func code(_ purpose: String, _ bytes: [UInt8], _ origin: ConsoleOrigin) -> [UInt8] {
    let said = Array("\(purpose)\n\(origin.text)\n".utf8) + bytes
    return key.withUnsafeBytes { key in said.withUnsafeBytes { HMACSHA256.code(key: key, $0) } }.array
  }

  private func isSame(_ one: [UInt8], _ other: ArraySlice<UInt8>) -> Bool {
    one.withUnsafeBytes { one in other.withUnsafeBytes { constantTimeEqual(one, $0) } }
  }
}
