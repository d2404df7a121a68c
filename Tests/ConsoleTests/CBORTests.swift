import Encodings
import Testing

@testable import Console

@Suite struct CBORTests {
  // From RFC 8949, appendix A, as far as CTAP2's canonical form has them.
  static let values: [(String, CBORReader.Value)] = [
    ("00", .unsigned(0)), ("17", .unsigned(23)), ("1818", .unsigned(24)), ("1903e8", .unsigned(1000)),
    ("1a000f4240", .unsigned(1_000_000)), ("1bffffffffffffffff", .unsigned(.max)), ("20", .negative(0)),
    ("3903e7", .negative(999)),
    ("3bffffffffffffffff", .negative(.max)), ("f4", .bool(false)), ("f5", .bool(true)), ("f6", .null), ("40", .bytes([])),
    ("4401020304", .bytes([1, 2, 3, 4])), ("60", .text("")), ("62c3bc", .text("ü")),
    ("80", .array([])), ("83010203", .array([.unsigned(1), .unsigned(2), .unsigned(3)])), ("a0", .map([])),
    ("a201020304", .map([.init(key: .unsigned(1), value: .unsigned(2)), .init(key: .unsigned(3), value: .unsigned(4))])),
    ("a161610a", .map([.init(key: .text("a"), value: .unsigned(10))])),
  ]

  @Test("The CBOR of authenticators is read", arguments: values.indices) func readsWhatAuthenticatorsWrite(index: Int) throws {
    let (hex, value) = Self.values[index]
    #expect(try CBORReader.value(try #require(Hex.decode(hex))[...]) == value)
  }

  static let faults: [(String, CBORReader.Fault)] = [
    ("", .endsEarly), ("18", .endsEarly), ("4201", .endsEarly),
    ("5bffffffffffffffff", .endsEarly), ("7b7fffffffffffffff61", .endsEarly), ("9bffffffffffffffff", .tooManyItems),
    ("bbffffffffffffffff", .tooManyItems), ("81", .endsEarly), ("a101", .endsEarly), ("1817", .notCanonical),
    ("190017", .notCanonical), ("1900ff", .notCanonical), ("1a0000ffff", .notCanonical), ("1b00000000ffffffff", .notCanonical),
    ("1c", .unknownType), ("1f", .unknownType), ("5f4101ff", .unknownType), ("9f01ff", .unknownType), ("bf0101ff", .unknownType),
    ("c074", .unknownType), ("f7", .unknownType), ("f97e00", .unknownType), ("fb3ff199999999999a", .unknownType),
    ("ff", .unknownType), ("62ff00", .notUTF8), ("a201020103", .keyTwice), ("0000", .bytesBehind),
    ("818181818181", .tooDeep), ("990100" + String(repeating: "00", count: 256), .tooManyItems),
  ]

  @Test("Any other CBOR is refused", arguments: faults.indices) func refusesTheRest(index: Int) throws {
    let (hex, fault) = Self.faults[index]
    #expect(throws: fault, "\(hex)") { try CBORReader.value(try #require(Hex.decode(hex))[...]) }
  }
}
