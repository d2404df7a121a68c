import Curve
import Encodings

/// The members' signatures of what they agreed on, 64 bytes each (ChillDKG, "CertEq").
enum DKGCertificate {
  static func message(_ transcript: [UInt8], _ place: Int) -> [UInt8] {
    let prefix = [UInt8]("BIP DKG/certeq message".utf8)
    return prefix + [UInt8](repeating: 0, count: 33 - prefix.count) + bigEndian(UInt32(place)) + transcript
  }

  static func sign(
    _ hostKey: borrowing SecretKey, _ transcript: [UInt8], _ place: Int, _ auxiliary: Bytes32
  ) throws(DKGError) -> [UInt8] {
    guard let pair = try? KeyPair(hostKey),
      let signature = try? pair.sign(message: message(transcript, place), auxiliary: auxiliary)
    else { throw .outOfMemory }
    return signature.array
  }

  /// The first member whose signature is not valid.
  /// - Parameter signatures: 64 bytes of each member.
  static func firstWrong(_ signatures: [[UInt8]], _ transcript: [UInt8], _ parameters: DKGParameters) -> Int? {
    signatures.indices.first { place in
      guard let signature = Signature(signatures[place]) else { return true }
      return !message(transcript, place).withUnsafeBytes {
        Schnorr.isValid(signature, ofMessage: $0, by: PublicKey(parameters.points[place].x))
      }
    }
  }
}
