import Encodings
import Foundation
import SecretMemory

/// Bytes for a test as a secret: at least one.
func secret(_ bytes: [UInt8]) throws -> SecretBytes {
  var bytes = bytes
  return try SecretBytes(wiping: &bytes)
}

func secret(_ text: String) throws -> SecretBytes { try secret(Array(text.utf8)) }

func secret(hex: String) throws -> SecretBytes { try secret(Hex.decode(hex) ?? []) }

extension SecretBytes {
  borrowing func array() -> [UInt8] { withBytes { [UInt8]($0) } }
  borrowing func text() -> String { withBytes { String(decoding: $0, as: UTF8.self) } }
  borrowing func hex() -> String { withBytes { Hex.encode($0) } }
}

/// A small deterministic generator, so that a failure can be repeated from the seed in its message.
struct Repeatable: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }

  mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }
}
