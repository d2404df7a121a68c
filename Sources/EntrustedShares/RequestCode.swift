import Ciphers
package import Curve
package import Encodings

/// Marks an owner's own request for a share: sixteen letters on paper, 80 bits, the same for all guardians of one kit.
///
/// It opens nothing. A request with the code is shown before those of strangers, and is answered in the same way. So it need not
/// be kept as secret as a key.
package struct RequestCode: Sendable, Equatable {
  /// In letters.
  static let length = 16
  /// The alphabet of Bech32, in which no two letters look alike.
  private static let alphabet = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l".utf8)
  private static let purpose = "holdfast guardian ask 1"

  private let letters: [UInt8]

  /// Makes a new code.
  package static func random() -> RequestCode {
    var random = SystemRandomNumberGenerator()
    return RequestCode(using: &random)
  }

  /// Makes a new code.
  init(using random: inout some RandomNumberGenerator) {
    letters = (0..<Self.length).map { _ in Self.alphabet[Int.random(in: 0..<32, using: &random)] }
  }

  /// Reads what a person typed: upper or lower case, with dashes or spaces.
  /// - Returns: nil for text that is no code.
  package init?(_ text: String) {
    guard text.utf8.count <= 64 else { return nil }
    letters = text.lowercased().utf8.filter { $0 != 0x2d && $0 != 0x20 }
    guard letters.count == Self.length, letters.allSatisfy(Self.alphabet.contains) else { return nil }
  }

  /// Four groups of four.
  package var text: String {
    stride(from: 0, to: Self.length, by: 4).map { String(decoding: letters[$0..<$0 + 4], as: UTF8.self) }.joined(separator: "-")
  }

  /// Proves to a guardian who knows the code that the asker knows it, too. It tells nobody else anything, and is valid for this
  /// pair only.
  package func proof(kit: String, guardian: PublicKey, asker: PublicKey) -> Bytes32 {
    let message = Array((Self.purpose + kit).utf8) + guardian.bytes.array + asker.bytes.array
    return letters.withUnsafeBytes { key in
      var hmac = HMACSHA256(key: key)
      message.withUnsafeBytes { hmac.update($0) }
      return Bytes32 { hmac.finish(into: $0) }
    }
  }

  /// Compares in constant time.
  package func isProved(by proof: Bytes32, kit: String, guardian: PublicKey, asker: PublicKey) -> Bool {
    let expected = self.proof(kit: kit, guardian: guardian, asker: asker)
    return zip(expected.array, proof.array).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

extension RequestCode: CustomStringConvertible {
  /// Does not contain the code.
  package var description: String { "<request code>" }
}
