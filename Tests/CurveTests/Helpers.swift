import Curve
import Encodings
import TestSupport

/// The order of secp256k1's group (SEC 2, section 2.4.1).
let groupOrder = bytes("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141")

/// The group order and a small number, added; 32 bytes big-endian.
func order(plus number: Int) -> [UInt8] {
  var (sum, carry) = (groupOrder, number)
  for index in sum.indices.reversed() {
    carry += Int(sum[index])
    sum[index] = UInt8(truncatingIfNeeded: carry)
    carry >>= 8
  }
  return sum
}

/// A small number in 32 bytes.
func scalar(_ number: UInt8) -> [UInt8] { [UInt8](repeating: 0, count: 31) + [number] }

func secretKey(_ bytes: [UInt8]) throws -> SecretKey { try SecretKey(try secret(bytes)) }

func keyPair(_ bytes: [UInt8]) throws -> KeyPair { try KeyPair(try secretKey(bytes)) }

func bytes32(_ bytes: [UInt8]) -> Bytes32 { Bytes32(bytes) ?? Bytes32() }

extension Bytes32 {
  /// As the test's own failure, for a text that is not 64 hex digits.
  static func hex(_ text: String) -> Bytes32 { Bytes32(hex: text) ?? Bytes32() }
}
