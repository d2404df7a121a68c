import Ciphers
import Encodings
import SecretMemory

/// One token for several proxies: Apple refuses a team whose proxies each make their own. It is stored encrypted, so that only who has Apple's
/// key can use it: XChaCha20-Poly1305 under a key derived from that one (HKDF), a nonce of 24 bytes in front.
extension ProviderToken {
  /// The age in seconds from which a stored token is replaced: early enough that no proxy has to make one of its own.
  package static let storedUse: Int64 = 2_400

  /// Under which name it is stored: proxies with the same key have one token.
  package var storedName: String { "apns-token-\(teamID)-\(keyID)" }

  /// Makes a token to be stored. This proxy does not use it before `adopt`.
  /// - Parameters:
  ///   - clock: seconds since 1970, by a clock that all proxies see. It decides how old the token is.
  ///   - now: the same by this machine's clock, for Apple: the clock that all see may be wrong.
  package func sealed(at clock: Int64, now: Int64) throws(APNsError) -> [UInt8] {
    let nonce = SystemRandom.bytes(ChaChaPoly.Variant.xchacha.nonceLength)
    let plain = withUnsafeBytes(of: clock.bigEndian) { Array($0) } + Array(try make(now: now).utf8)
    let sealed = try? withSealingKey { key in
      try plain.withUnsafeBytes { try ChaChaPoly.seal($0, key: key, nonce: nonce, associated: Array(storedName.utf8)) }
    }
    guard let sealed else { throw .notSigned }
    return nonce + sealed
  }

  /// Uses a stored token from now on.
  /// - Parameters:
  ///   - clock: the time now by the clock that all proxies see.
  ///   - now: the same by this machine's clock, for `authorization`.
  /// - Returns: false for one that is too old, dated ahead, or sealed under another key.
  package func adopt(_ sealed: [UInt8], clock: Int64, now: Int64) -> Bool {
    guard let (text, at) = opened(sealed) else { return false }
    let (age, isTooFar) = clock.subtractingReportingOverflow(at)
    guard !isTooFar, (0..<Self.storedUse).contains(age) else { return false }
    use(text, at: now - age)
    return true
  }

  private func opened(_ sealed: [UInt8]) -> (text: String, at: Int64)? {
    let count = ChaChaPoly.Variant.xchacha.nonceLength
    guard sealed.count > count else { return nil }
    let plain = try? withSealingKey { key in
      try sealed[count...].withUnsafeBytes {
        try ChaChaPoly.openPublic($0, key: key, nonce: Array(sealed[..<count]), associated: Array(storedName.utf8))
      }
    }
    guard let plain else { return nil }
    var reader = ByteReader(plain[...])
    guard let at: UInt64 = reader.integer() else { return nil }
    return (String(decoding: plain.dropFirst(8), as: UTF8.self), Int64(bitPattern: at))
  }

  private func withSealingKey<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
    let extracted = try withKeyBytes { bytes throws(CipherError) in
      try HKDFSHA256.extract(salt: UnsafeRawBufferPointer(start: nil, count: 0), inputKey: bytes)
    }
    return try HKDFSHA256.expand(pseudorandomKey: extracted, info: Array("holdfast-push apns-token".utf8), count: 32).withBytes(
      body)
  }
}
