import Ciphers
import Encodings
import SecretMemory

/// One token for several proxies: Apple refuses a team whose proxies each make their own. It is stored encrypted, so that only who has Apple's
/// key can use it: its date (8 bytes), which everybody reads, then a nonce of 24 bytes, then the token, XChaCha20-Poly1305 under a key derived
/// from Apple's (HKDF).
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
    let date = withUnsafeBytes(of: clock.bigEndian) { Array($0) }
    let plain = Array(try make(now: now).utf8)
    let sealed = try? withSealingKey { key in
      try plain.withUnsafeBytes { try ChaChaPoly.seal($0, key: key, nonce: nonce, associated: bound(date)) }
    }
    guard let sealed else { throw .notSigned }
    return date + nonce + sealed
  }

  private func bound(_ date: [UInt8]) -> [UInt8] { date + Array(storedName.utf8) }

  /// Whether a stored token serves still, whoever can read it. Only an older one may be replaced: a proxy with another key would otherwise have
  /// all others change their token each second.
  package static func serves(_ stored: [UInt8], clock: Int64) -> Bool {
    var reader = ByteReader(stored[...])
    guard let at: UInt64 = reader.integer() else { return false }
    let (age, isTooFar) = clock.subtractingReportingOverflow(Int64(bitPattern: at))
    return !isTooFar && (0..<storedUse).contains(age)
  }

  /// Uses a stored token from now on.
  /// - Parameters:
  ///   - clock: the time now by the clock that all proxies see.
  ///   - now: the same by this machine's clock, for `authorization`.
  /// - Returns: false for one that is too old, dated ahead, or sealed under another key.
  package func adopt(_ sealed: [UInt8], clock: Int64, now: Int64) -> Bool {
    guard Self.serves(sealed, clock: clock), let (text, at) = opened(sealed) else { return false }
    use(text, at: now - (clock - at))
    return true
  }

  private func opened(_ sealed: [UInt8]) -> (text: String, at: Int64)? {
    var reader = ByteReader(sealed[...])
    guard let at: UInt64 = reader.integer(), let nonce = reader.take(ChaChaPoly.Variant.xchacha.nonceLength) else { return nil }
    let box = sealed[(8 + nonce.count)...]
    let plain = try? withSealingKey { key in
      try box.withUnsafeBytes {
        try ChaChaPoly.openPublic($0, key: key, nonce: Array(nonce), associated: bound(Array(sealed[..<8])))
      }
    }
    return plain.map { (String(decoding: $0, as: UTF8.self), Int64(bitPattern: at)) }
  }

  private func withSealingKey<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
    let extracted = try withKeyBytes { bytes throws(CipherError) in
      try HKDFSHA256.extract(salt: UnsafeRawBufferPointer(start: nil, count: 0), inputKey: bytes)
    }
    return try HKDFSHA256.expand(pseudorandomKey: extracted, info: Array("holdfast-push apns-token".utf8), count: 32).withBytes(
      body)
  }
}
