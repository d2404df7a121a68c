import Curve
import Encodings
import Nostr

/// How an npub should end. Its last six characters are bech32's checksum of the key (BIP-173), which is linear: it is that of zero with
/// what each bit that is set adds to it, so a table for each byte of the key gives it with 32 look-ups and no division.
struct NpubEnding: Sendable, Equatable {
  /// Characters of the checksum.
  static let checksumLength = 6
  private static let bytes = 32

  /// 256 numbers for each byte of a key, the least significant first: what this byte adds to the checksum.
  private let table: [UInt32]
  private let value: UInt32
  private let mask: UInt32

  /// - Parameter digits: the wanted end of the checksum, 1 to 6 numbers below 32.
  init(_ digits: some Collection<UInt8>) {
    let wanted = digits.prefix(Self.checksumLength)
    mask = UInt32((UInt64(1) << UInt64(5 * wanted.count)) - 1)
    value = wanted.reduce(0) { $0 << 5 | UInt32($1 & 31) } ^ Self.checksum(of: Bytes32()) & mask
    table = Self.tables
  }

  /// Wanted bits.
  var bits: Int { mask.nonzeroBitCount }

  /// Lends the table to a search. The closure of a search must not count references, so it gets the table's address.
  func withMatcher<R, E: Error>(_ body: (Matcher) throws(E) -> R) throws(E) -> R {
    try table.withUnsafeBufferPointer { (table) throws(E) -> R in
      guard let base = table.baseAddress, table.count == Self.bytes * 256 else {
        return try body(Matcher(table: nil, value, mask))
      }
      return try body(Matcher(table: base, value, mask))
    }
  }

  /// Whether a key's checksum ends as wanted.
  struct Matcher {
    private let table: UnsafePointer<UInt32>?
    private let value: UInt32
    private let mask: UInt32

    fileprivate init(table: UnsafePointer<UInt32>?, _ value: UInt32, _ mask: UInt32) {
      (self.table, self.value, self.mask) = (table, value, mask)
    }

    /// Only for keys that an `NpubEnding` lends it for.
    @inline(__always)
    func matches(_ x: FieldElement) -> Bool {
      guard let table else { return false }
      let sum = Self.sum(x.a, table) ^ Self.sum(x.b, table + 2048) ^ Self.sum(x.c, table + 4096) ^ Self.sum(x.d, table + 6144)
      return (sum ^ value) & mask == 0
    }

    @inline(__always)
    private static func sum(_ limb: UInt64, _ table: UnsafePointer<UInt32>) -> UInt32 {
      let low =
        table[Int(limb & 255)] ^ table[256 + Int(limb >> 8 & 255)] ^ table[512 + Int(limb >> 16 & 255)]
        ^ table[768 + Int(limb >> 24 & 255)]
      let high =
        table[1024 + Int(limb >> 32 & 255)] ^ table[1280 + Int(limb >> 40 & 255)] ^ table[1536 + Int(limb >> 48 & 255)]
        ^ table[1792 + Int(limb >> 56)]
      return low ^ high
    }
  }

  private static let tables: [UInt32] = {
    let zero = checksum(of: Bytes32())
    var table = [UInt32](repeating: 0, count: bytes * 256)
    for byte in 0..<bytes {
      for number in 1..<256 {
        let bit = number & -number
        if bit == number {
          // The least significant byte of a key is written last.
          let key = Bytes32 { $0[bytes - 1 - byte] = UInt8(number) }
          table[byte * 256 + number] = checksum(of: key) ^ zero
        } else {
          table[byte * 256 + number] = table[byte * 256 + bit] ^ table[byte * 256 + number - bit]
        }
      }
    }
    return table
  }()

  /// The six characters as 30 bits.
  private static func checksum(of key: Bytes32) -> UInt32 {
    PublicKey(key).npub.utf8.suffix(checksumLength).reduce(0) { sum, character in
      sum << 5 | UInt32(VanityPattern.npubDigit(character) ?? 0)
    }
  }
}
