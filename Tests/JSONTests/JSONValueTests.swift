import Foundation
import JSON
import TestSupport
import Testing

@Suite("JSON trees")
struct JSONValueTests {
  private func parse(_ text: String) throws(JSONError) -> JSONValue { try JSONValue(parsing: Array(text.utf8)) }

  @Test("Every kind of value is read, and members keep their order") func readsEveryKindOfValueInOrder() throws {
    let value = try parse(#" {"z":null,"a":[true,false,-7,1.50,1e3,"x\u00e9\ud83e\udd19\/"],"":{}} "#)
    #expect(
      value == [
        "z": nil, "a": [true, false, -7, .number("1.50"), .number("1e3"), "xé🤙/"], "": [:],
      ])
    #expect(String(decoding: value.serialized(), as: UTF8.self) == #"{"z":null,"a":[true,false,-7,1.50,1e3,"xé🤙/"],"":{}}"#)
    #expect(value["a"]?[2]?.integer == -7)
    #expect(value["b"] == nil)
  }

  @Test(
    "Malformed text is refused, and the error names the place",
    arguments: [
      ("", JSONError.unexpectedEnd(at: 0)),
      ("  ", .unexpectedEnd(at: 2)),
      ("\u{feff}1", .unexpectedByte(at: 0)),
      ("1 2", .trailingBytes(at: 2)),
      ("[1,]", .unexpectedByte(at: 3)),
      ("[,1]", .unexpectedByte(at: 1)),
      ("[1 2]", .unexpectedByte(at: 3)),
      ("[1", .unexpectedEnd(at: 2)),
      ("{\"a\":1,}", .unexpectedByte(at: 7)),
      ("{\"a\" 1}", .unexpectedByte(at: 5)),
      ("{a:1}", .unexpectedByte(at: 1)),
      ("{\"a\"}", .unexpectedByte(at: 4)),
      ("[1}", .unexpectedByte(at: 2)),
      ("tru", .unexpectedEnd(at: 3)),
      ("trux", .unexpectedByte(at: 3)),
      ("nul", .unexpectedEnd(at: 3)),
      ("NaN", .unexpectedByte(at: 0)),
      ("01", .malformedNumber(at: 0)),
      ("-", .malformedNumber(at: 0)),
      ("1.", .malformedNumber(at: 0)),
      ("1e", .malformedNumber(at: 0)),
      ("+1", .unexpectedByte(at: 0)),
      (".5", .unexpectedByte(at: 0)),
      ("\"a", .unexpectedEnd(at: 2)),
      ("\"a\nb\"", .controlCharacter(at: 2)),
      ("\"\\", .unexpectedEnd(at: 2)),
      ("\"\\x\"", .malformedEscape(at: 1)),
      ("\"\\u12g4\"", .malformedEscape(at: 1)),
      ("\"\\u12", .unexpectedEnd(at: 5)),
      ("\"\\ud800\"", .loneSurrogate(at: 1)),
      ("\"\\ud800\\n     \"", .loneSurrogate(at: 1)),
      ("\"\\ud800\\u0041\"", .loneSurrogate(at: 1)),
      ("\"\\udc00\"", .loneSurrogate(at: 1)),
      ("\"\\udc00\\udc00\"", .loneSurrogate(at: 1)),
      ("\"\\ud800\\ud800\"", .loneSurrogate(at: 1)),
      ("{\"a\":1,\"b\":2,\"a\":3}", .duplicateKey(at: 14)),
      ("{\"a\":1,\"\\u0061\":3}", .duplicateKey(at: 8)),
      ("// c\n1", .unexpectedByte(at: 0)),
    ])
  func rejectsMalformedText(text: String, fault: JSONError) {
    #expect(throws: fault) { try parse(text) }
  }

  @Test(
    "Malformed UTF-8 is refused",
    arguments: [
      [0x80], [0xc0, 0xaf], [0xc1, 0xbf], [0xc3], [0xe0, 0x80, 0x80], [0xe0, 0x9f, 0xbf], [0xed, 0xa0, 0x80], [0xe2, 0x82],
      [0xf0, 0x8f, 0xbf, 0xbf], [0xf4, 0x90, 0x80, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xff], [0xf0, 0x9f, 0xa4],
    ] as [[UInt8]])
  func rejectsMalformedUTF8(bytes: [UInt8]) {
    for lead in ["\"", "\"abcdefgh", "\"é"] {
      let text = Array(lead.utf8) + bytes + Array("\"".utf8)
      #expect(throws: JSONError.malformedUTF8(at: lead.utf8.count)) { try JSONValue(parsing: text) }
    }
  }

  @Test("The limits on length and depth apply") func keepsLimits() throws {
    let deep = String(repeating: "[", count: 33) + String(repeating: "]", count: 33)
    #expect(throws: JSONError.tooDeep(at: 32)) { try parse(deep) }
    #expect(throws: Never.self) { try parse(String(deep.dropFirst().dropLast())) }
    #expect(throws: JSONError.tooLong(limit: 3)) { try JSONValue(parsing: Array("1234".utf8), limits: .init(bytes: 3)) }
    #expect(throws: JSONError.tooManyValues(limit: 3)) {
      try JSONValue(parsing: Array("[1,2,3]".utf8), limits: .init(values: 3))
    }
  }

  @Test("Keys that differ only in their Unicode form stay apart") func tellsCanonicallyEqualKeysApart() throws {
    let value = try parse("{\"e\u{301}\":1,\"\u{e9}\":2}")
    #expect(value["\u{e9}"]?.integer == 2)
  }

  @Test("A duplicate among many keys is found") func findsADuplicateAmongManyKeys() {
    let members = (0..<100).map { "\"k\($0)\":0" }.joined(separator: ",")
    #expect(throws: Never.self) { try parse("{\(members)}") }
    #expect(throws: JSONError.self) { try parse("{\(members),\"k50\":1}") }
  }

  @Test(
    "Integers are read exactly",
    arguments: [
      ("0", 0), ("-1", -1), ("9223372036854775807", Int64.max), ("-9223372036854775808", .min),
    ])
  func readsIntegers(text: String, value: Int64) throws { #expect(try parse(text) == .integer(value)) }

  @Test(
    "Other numbers are kept as they were written",
    arguments: ["-0", "9223372036854775808", "-9223372036854775809", "1.0", "1E2", "99999999999999999999999999"])
  func keepsOtherNumbersVerbatim(text: String) throws {
    #expect(try parse(text) == .number(text))
    #expect(String(decoding: try parse(text).serialized(), as: UTF8.self) == text)
  }

  @Test(
    "Escapes are decoded",
    arguments: [
      (#""\ud800\udc00""#, "\u{10000}"), (#""\uDBFF\uDFFF""#, "\u{10ffff}"), (#""\ud7ff\uE000\u0000""#, "\u{d7ff}\u{e000}\u{0}"),
      (#""\b\f\n\r\t\/\\\"x""#, "\u{8}\u{c}\n\r\t/\\\"x"),
    ])
  func decodesEscapes(text: String, string: String) throws {
    #expect(try parse(text).string?.unicodeScalars.map(\.value) == string.unicodeScalars.map(\.value))
  }

  @Test("Strings are escaped as NIP-01 requires") func escapesAsNIP01Asks() throws {
    let hostile = "\u{0}\u{1}\u{8}\t\n\u{b}\u{c}\r\u{1f} \"\\/\u{7f}\u{80}\u{2028}\u{ffff}🤙"
    let text = String(decoding: JSONValue.string(hostile).serialized(), as: UTF8.self)
    #expect(
      text == "\"\\u0000\\u0001\\b\\t\\n\\u000b\\f\\r\\u001f \\\"\\\\/\u{7f}\u{80}\u{2028}\u{ffff}🤙\"")
    #expect(try parse(text).string == hostile)
  }

  @Test("Written JSON reads back the same") func readsWhatItWrites() throws {
    var generator = Repeatable.announced()
    for _ in 0..<500 {
      let value = RandomJSON.value(depth: 4, &generator)
      #expect(try JSONValue(parsing: value.serialized()) == value)
    }
  }

  @Test("The parser agrees with Foundation's") func agreesWithFoundation() throws {
    var generator = Repeatable.announced()
    for _ in 0..<200 {
      let text = RandomJSON.value(depth: 3, &generator).serialized()
      let theirs = try JSONSerialization.jsonObject(with: Data(text), options: .fragmentsAllowed)
      #expect(isEqual(try JSONValue(parsing: text), theirs))
    }
  }

  private func isEqual(_ ours: JSONValue, _ theirs: Any) -> Bool {
    switch ours {
    case .null: theirs is NSNull
    case .bool(let value): theirs as? Bool == value
    case .integer(let value): (theirs as? NSNumber)?.int64Value == value
    case .number(let text): (theirs as? NSNumber)?.doubleValue == Double(text)
    case .string(let value): (theirs as? String).map { Array($0.utf8) } == Array(value.utf8)
    case .array(let elements):
      (theirs as? [Any]).map { $0.count == elements.count && zip(elements, $0).allSatisfy { isEqual($0, $1) } } ?? false
    case .object(let members):
      (theirs as? [String: Any]).map { theirs in
        theirs.count == members.count
          && members.allSatisfy { member in theirs[member.key].map { isEqual(member.value, $0) } ?? false }
      } ?? false
    }
  }

  @Test("Random bytes never crash the parser") func noBytesTrapTheParser() {
    var generator = Repeatable.announced()
    let seeds = (0..<20).map { _ in RandomJSON.value(depth: 4, &generator).serialized() }
    var accepted = 0
    for round in 0..<10_000 {
      var bytes = seeds[round % seeds.count]
      for _ in 0..<Int.random(in: 1...4, using: &generator) { RandomJSON.mutate(&bytes, &generator) }
      if round % 4 == 0 {
        bytes = (0..<Int.random(in: 0...60, using: &generator)).map { _ in .random(in: 0...255, using: &generator) }
      }
      guard let value = try? JSONValue(parsing: bytes) else { continue }
      accepted += 1
      #expect((try? JSONValue(parsing: value.serialized())) == value)
    }
    #expect(accepted > 0)
  }
}
