import Ciphers
import Encodings
import SecretMemory

/// Polynomials through a secret and a digest of it, so that wrong shares are noticed (SLIP-39, "Shamir's secret sharing").
enum Polynomial {
  /// Where the secret lies.
  static let secretPlace: UInt8 = 255
  /// Where the digest lies: four bytes of HMAC-SHA256, keyed by the random bytes behind them.
  static let digestPlace: UInt8 = 254
  private static let digestLength = 4

  /// - Parameters:
  ///   - threshold: 1 to `count`.
  ///   - count: 1 to 16.
  /// - Returns: the points at 0 to `count - 1`.
  static func points(
    of secret: SecretBox, threshold: Int, count: Int, _ random: (UnsafeMutableRawBufferPointer) -> Void
  ) throws(ShareError) -> [SharePoint] {
    var points: [SharePoint] = []
    guard threshold > 1 else {
      for x in 0..<count { points.append(SharePoint(x: UInt8(truncatingIfNeeded: x), value: secret)) }
      return points
    }
    for x in 0..<threshold - 2 {
      points.append(
        SharePoint(x: UInt8(truncatingIfNeeded: x), value: SecretBox(try shareBytes(secret.count) { random($0) })))
    }
    let base =
      points + [
        SharePoint(x: digestPlace, value: SecretBox(try digest(of: secret, random))), SharePoint(x: secretPlace, value: secret),
      ]
    for x in points.count..<count {
      let x = UInt8(truncatingIfNeeded: x)
      points.append(SharePoint(x: x, value: SecretBox(try Interpolation.value(at: x, of: base, length: secret.count))))
    }
    return points
  }

  /// - Parameter points: exactly as many as the threshold, at different places.
  /// - Returns: nil when the digest is not that of the secret.
  static func secret(through points: [SharePoint], length: Int) throws(ShareError) -> SecretBox? {
    if points.count == 1 { return points[0].value }
    let secret = SecretBox(try Interpolation.value(at: secretPlace, of: points, length: length))
    let digest = try Interpolation.value(at: digestPlace, of: points, length: length)
    let expected = try shareBytes(digestLength) { target in digest.withBytes { code(of: secret, key: $0, into: target) } }
    let holds = digest.withBytes { digest in expected.withBytes { constantTimeEqual(digest.part(0..<digestLength), $0) } }
    return holds ? secret : nil
  }

  private static func digest(
    of secret: SecretBox, _ random: (UnsafeMutableRawBufferPointer) -> Void
  ) throws(ShareError) -> SecretBytes {
    try shareBytes(secret.count) { target in
      random(UnsafeMutableRawBufferPointer(rebasing: target[digestLength...]))
      code(
        of: secret, key: UnsafeRawBufferPointer(target), into: UnsafeMutableRawBufferPointer(rebasing: target[..<digestLength]))
    }
  }

  /// - Parameters:
  ///   - key: the random bytes from the fifth on.
  ///   - target: four bytes.
  private static func code(of secret: SecretBox, key: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer) {
    secret.withBytes { secret in
      let code = HMACSHA256.code(key: key.part(digestLength..<key.count), secret)
      code.withUnsafeBytes { target.copyMemory(from: $0.part(0..<digestLength)) }
    }
  }
}
