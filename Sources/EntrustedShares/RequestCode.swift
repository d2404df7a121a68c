import Ciphers
package import Curve
package import Encodings

/// What an owner's own request for a share is known by: sixteen letters on paper, 80 bits, the same for all guardians of one kit.
///
/// It opens nothing: a request that shows it stands before those of strangers, and is answered like them. So it is no secret as keys are.
package struct RequestCode: Sendable, Equatable {
  /// Letters.
  static let length = 16
  /// Bech32's, in which no two look alike.
  private static let alphabet = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l".utf8)
  private static let purpose = "holdfast guardian ask 1"

  private let letters: [UInt8]

  /// A new one.
  package static func random() -> RequestCode {
    var random = SystemRandomNumberGenerator()
    return RequestCode(using: &random)
  }

  /// A new one.
  init(using random: inout some RandomNumberGenerator) {
    letters = (0..<Self.length).map { _ in Self.alphabet[Int.random(in: 0..<32, using: &random)] }
  }

  /// Reads what a person typed: in any case, with dashes or spaces.
  /// - Returns: nil for what is no code.
  package init?(_ text: String) {
    guard text.utf8.count <= 64 else { return nil }
    letters = text.lowercased().utf8.filter { $0 != 0x2d && $0 != 0x20 }
    guard letters.count == Self.length, letters.allSatisfy(Self.alphabet.contains) else { return nil }
  }

  /// Four groups of four.
  package var text: String {
    stride(from: 0, to: Self.length, by: 4).map { String(decoding: letters[$0..<$0 + 4], as: UTF8.self) }.joined(separator: "-")
  }

  /// Shows to a guardian who knows the code that the asker does, and to nobody else anything: it is for this pair alone.
  package func proof(kit: String, guardian: PublicKey, asker: PublicKey) -> Bytes32 {
    let message = Array((Self.purpose + kit).utf8) + guardian.bytes.array + asker.bytes.array
    return letters.withUnsafeBytes { key in
      var hmac = HMACSHA256(key: key)
      message.withUnsafeBytes { hmac.update($0) }
      return Bytes32 { hmac.finish(into: $0) }
    }
  }

  /// In constant time.
  package func isProved(by proof: Bytes32, kit: String, guardian: PublicKey, asker: PublicKey) -> Bool {
    let expected = self.proof(kit: kit, guardian: guardian, asker: asker)
    return zip(expected.array, proof.array).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

extension RequestCode: CustomStringConvertible {
  /// Not the code.
  package var description: String { "<request code>" }
}
