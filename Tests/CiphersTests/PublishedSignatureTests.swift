import COpenSSL
import Ciphers
import Encodings
import Foundation
import TestSupport
import TestVectors
import Testing

@Suite("Published signatures", .vectors("RFC 6979 for P-256, JOSE"))
struct PublishedSignatureTests {
  /// Our own nonces are random, so these are checked, not made.
  @Test("The P-256 signatures in RFC 6979 are valid with each hash") func p256() throws {
    for example in try Vectors.cases("rfc6979/p256.json", "cases", as: [String: String].self) {
      func text(_ name: String) throws -> String { try #require(example[name]) }
      let key = try P256.PrivateKey(try secret(hex: try text("private_key"))).publicKey
      let signature = try P256.Signature(raw: bytes(try text("r") + text("s")))
      #expect(key.isValid(signature, of: try Self.number(try text("message"), hash: try text("hash"))), "\(example)")
      #expect(!key.isValid(signature, of: try Self.number(try text("message") + "x", hash: try text("hash"))), "\(example)")
    }
  }

  /// A hash as ECDSA on P-256 takes it: the first 256 bits, or all with zeros before them (SEC 1, section 4.1.3, step 5).
  private static func number(_ message: String, hash: String) throws -> Bytes32 {
    var (digest, count) = ([UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE)), UInt32(0))
    let status = EVP_Digest(Array(message.utf8), message.utf8.count, &digest, &count, EVP_get_digestbyname(hash), nil)
    try #require(status == 1, "\(hash)")
    let first = Array(digest.prefix(min(32, Int(count))))
    return bytes32([UInt8](repeating: 0, count: 32 - first.count) + first)
  }

  private static func bytes32(_ bytes: [UInt8]) -> Bytes32 { Bytes32 { $0.copyBytes(from: bytes) } }

  @Test("A JSON Web Signature is valid only for its own algorithm and key") func jose() throws {
    for example in try Vectors.cases("jose/vectors.json", "vectors") {
      let (name, algorithm) = (example["name"] as? String ?? "", example["alg"] as? String ?? "")
      guard algorithm != "ES512" else { continue }  // there is no P-521
      let token = try #require(example["token"] as? String)
      let isSigned = try Self.isSigned(token, algorithm, example["jwk"] as? [String: String] ?? [:])
      #expect(isSigned == (try #require(example["valid"] as? Bool)), "\(name)")
    }
  }

  /// What a verifier does that is set up for one algorithm (RFC 8725, section 3.1).
  private static func isSigned(_ token: String, _ algorithm: String, _ key: [String: String]) throws -> Bool {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, let header = Base64URL.decode(parts[0]), let signature = Base64URL.decode(parts[2]) else {
      return false
    }
    let named = try JSONSerialization.jsonObject(with: Data(header)) as? [String: Any]
    guard named?["alg"] as? String == algorithm else { return false }
    func value(_ name: String) throws -> [UInt8] { try #require(Base64URL.decode(key[name] ?? "")) }
    let message = Array("\(parts[0]).\(parts[1])".utf8)
    switch algorithm {
    case "HS256":
      let code = try value("k").withUnsafeBytes { key in message.withUnsafeBytes { HMACSHA256.code(key: key, $0) } }
      return code.array == signature
    case "ES256":
      let point = try P256.PublicKey(x: try value("x"), y: try value("y"))
      return (try? P256.Signature(raw: signature)).map { point.isValid($0, ofMessage: message) } ?? false
    case "EdDSA": return Ed25519.isValid(signature, of: message, by: bytes32(try value("x")))
    default: return false
    }
  }
}
