public import Curve
import Encodings
import Nostr

/// How a public key should begin, and perhaps end: some bits of its first and of its last 64, and of its npub's checksum.
public struct VanityPattern: Sendable, Equatable {
  /// The most characters of hex, at either end.
  public static let longestHex = 16
  /// The most characters of an npub after `npub1`.
  public static let longestNpub = 12

  /// The wanted beginning, as it will look: `npub1…`, or hex digits.
  public let prefix: String
  /// The hex digits it should end with; empty when that does not matter.
  public let suffix: String
  /// What its npub should end with; empty when that does not matter.
  public let npubSuffix: String
  let first: Bits
  let last: Bits
  let ending: NpubEnding?

  /// - Parameters:
  ///   - prefix: `npub1` and 1 to 12 characters, or 1 to 16 hex digits; all in lower case. May be empty beside a suffix.
  ///   - suffix: at most 16 hex digits.
  ///   - npubSuffix: at most 12 characters of an npub, in place of a suffix in hex. The last six are its checksum; the one before them
  ///     has one bit of the key, and is q or s.
  /// - Throws: the first fault.
  public init(prefix: String, suffix: String = "", npubSuffix: String = "") throws(VanityError) {
    (self.prefix, self.suffix, self.npubSuffix) = (prefix, suffix, npubSuffix)
    guard suffix.isEmpty || npubSuffix.isEmpty else { throw .twoEnds }
    first = try Self.isNpub(prefix) ? Self.bits(npub: Array(prefix.utf8)) : Self.bits(hex: Array(prefix.utf8)).first
    if npubSuffix.isEmpty {
      last = try Self.bits(hex: Array(suffix.utf8)).last
      ending = nil
    } else {
      (last, ending) = try Self.end(npub: Array(npubSuffix.utf8))
    }
    guard bits > 0 else { throw .empty }
  }

  /// One key in two to the power of this has the pattern.
  public var bits: Int { first.mask.nonzeroBitCount + last.mask.nonzeroBitCount + (ending?.bits ?? 0) }

  /// Whether a key has it.
  public func matches(_ key: PublicKey) -> Bool {
    matches(FieldElement(key.bytes)) && (npubSuffix.isEmpty || key.npub.hasSuffix(npubSuffix))
  }

  /// Whether a number has the pattern, except the checksum of its npub. The number may be one that is not reduced modulo p, which
  /// practically never occurs. Every hit is checked again.
  @inline(__always)
  func matches(_ x: FieldElement) -> Bool { ((x.d ^ first.value) & first.mask) | ((x.a ^ last.value) & last.mask) == 0 }

  /// Wanted bits of 64.
  struct Bits: Sendable, Equatable {
    var value: UInt64 = 0
    var mask: UInt64 = 0

    /// Appends `count` bits from the top.
    mutating func append(_ bits: UInt8, count: Int) {
      let shift = 64 - mask.nonzeroBitCount - count
      value |= UInt64(bits) << UInt64(max(0, shift))
      mask |= (1 << UInt64(count) - 1) << UInt64(max(0, shift))
    }

    /// The same bits at the lower end.
    var atTheEnd: Bits {
      let shift = UInt64(64 - mask.nonzeroBitCount)
      return Bits(value: value >> shift, mask: mask >> shift)
    }
  }
}

extension VanityPattern {
  private static let npubMark = Array("npub1".utf8)
  private static let other = Array("nsec1".utf8)

  private static func isNpub(_ text: String) -> Bool {
    // Also a partly typed npub1 and one in capitals, so that their errors are described in these terms.
    let lower = text.utf8.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
    return lower.starts(with: npubMark) || (!lower.isEmpty && npubMark.starts(with: lower) && lower.count > 1)
  }

  private static func bits(npub text: [UInt8]) throws(VanityError) -> Bits {
    if let index = text.firstIndex(where: { (0x41...0x5A).contains($0) }) { throw .upperCase(position: index + 1) }
    let rest = text.dropFirst(npubMark.count)
    guard !rest.isEmpty else { throw .empty }
    guard rest.count <= longestNpub else { throw .tooLong(limit: longestNpub) }
    var bits = Bits()
    for (index, byte) in rest.enumerated() {
      guard let value = npubDigit(byte) else { throw .notInNpub(byte, position: npubMark.count + index + 1) }
      bits.append(value, count: 5)
    }
    return bits
  }

  private static func bits(hex text: [UInt8]) throws(VanityError) -> (first: Bits, last: Bits) {
    guard !text.starts(with: other) else { throw .secretForm }
    var bits = Bits()
    for (index, byte) in text.enumerated() {
      if (0x41...0x5A).contains(byte) { throw .upperCase(position: index + 1) }
      guard let value = Hex.value(of: byte) else { throw .notHex(byte, position: index + 1) }
      guard index < longestHex else { throw .tooLong(limit: longestHex) }
      bits.append(value, count: 4)
    }
    return (bits, text.isEmpty ? bits : bits.atTheEnd)
  }

  /// The end of an npub: five bits a character before the last seven, one bit, and the checksum.
  private static func end(npub text: [UInt8]) throws(VanityError) -> (Bits, NpubEnding) {
    if let index = text.firstIndex(where: { (0x41...0x5A).contains($0) }) { throw .upperCase(position: index + 1) }
    guard text.count <= longestNpub else { throw .tooLong(limit: longestNpub) }
    var digits: [UInt8] = []
    for (index, byte) in text.enumerated() {
      guard let value = npubDigit(byte) else { throw .notInNpub(byte, position: index + 1) }
      digits.append(value)
    }
    var bits = Bits()
    let ofTheKey = digits.dropLast(NpubEnding.checksumLength)
    for digit in ofTheKey.dropLast() { bits.append(digit, count: 5) }
    if let digit = ofTheKey.last {
      guard digit & 15 == 0 else { throw .seventhFromTheEnd(position: ofTheKey.count) }
      bits.append(digit >> 4, count: 1)
    }
    return (ofTheKey.isEmpty ? bits : bits.atTheEnd, NpubEnding(digits.suffix(NpubEnding.checksumLength)))
  }

  static func npubDigit(_ byte: UInt8) -> UInt8? {
    Bech32.digits.withUTF8Buffer { digits in digits.firstIndex(of: byte).map { UInt8($0) } }
  }
}

/// What is wrong with a wanted prefix or suffix. Positions count from one.
public enum VanityError: Error, Equatable, Sendable {
  /// Nothing is asked for.
  case empty
  /// More characters than could be found in a lifetime.
  case tooLong(limit: Int)
  /// Keys are written in lower case.
  case upperCase(position: Int)
  /// A character that no npub has: b, i, o, 1 and everything except letters and digits.
  case notInNpub(UInt8, position: Int)
  /// No hex digit.
  case notHex(UInt8, position: Int)
  /// The seventh character from the end of every npub is q or s.
  case seventhFromTheEnd(position: Int)
  /// An end in hex and one of the npub.
  case twoEnds
  /// `nsec1…` is the form of a secret key, which must not be shown.
  case secretForm
}
