import Curve
import Nostr

/// Bech32 (BIP-173) written a second time, the plain way, to make texts whose checksum is right.
enum PlainBech32 {
  private static let alphabet = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l".utf8)

  static func text(_ prefix: String, _ bytes: [UInt8]) -> [UInt8] {
    let values = fives(of: bytes)
    return Array(prefix.utf8) + [0x31] + (values + checksum(Array(prefix.utf8), values)).map { alphabet[Int($0)] }
  }

  private static func fives(of bytes: [UInt8]) -> [UInt8] {
    // Eight groups of five bits are five bytes.
    let padded = bytes + [UInt8](repeating: 0, count: (5 - bytes.count % 5) % 5)
    let values = stride(from: 0, to: padded.count, by: 5).flatMap { start in
      let group = padded[start..<start + 5].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      return (0..<8).map { UInt8(group >> (35 - 5 * UInt64($0)) & 31) }
    }
    return Array(values.prefix((bytes.count * 8 + 4) / 5))
  }

  private static func checksum(_ prefix: [UInt8], _ values: [UInt8]) -> [UInt8] {
    let expanded = prefix.map { $0 >> 5 } + [0] + prefix.map { $0 & 31 }
    let state = polymod(expanded + values + [UInt8](repeating: 0, count: 6)) ^ 1
    return (0..<6).map { UInt8(truncatingIfNeeded: state >> (5 * (5 - UInt32($0))) & 31) }
  }

  private static func polymod(_ values: [UInt8]) -> UInt32 {
    let generators: [UInt32] = [0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3]
    return values.reduce(1) { state, value in
      let shifted = (state & 0x1ff_ffff) << 5 ^ UInt32(value)
      return generators.indices.reduce(shifted) { state >> (25 + UInt32($1)) & 1 == 1 ? $0 ^ generators[$1] : $0 }
    }
  }
}

enum PublicKeyText {
  /// The key of an `npub` or hex text, if the bytes are one.
  static func read(_ text: UnsafeRawBufferPointer) -> PublicKey? {
    String(validating: text, as: UTF8.self).flatMap { PublicKey(npubOrHex: $0) }
  }
}
