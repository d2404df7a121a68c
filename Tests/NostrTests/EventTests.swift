import Ciphers
import Curve
import Encodings
import Foundation
import JSON
import Nostr
import TestSupport
import TestVectors
import Testing

@Suite("NIP-01 events")
struct EventTests {
  private func sample(_ replacements: [(String, String)] = []) throws -> String {
    let key = try Samples.key(3)
    let event = try UnsignedEvent(
      pubkey: key.publicKey, createdAt: 1_700_000_000, kind: 1, tags: [["p", "x"], [], ["e", "y", "z"]], content: "hi"
    ).signed(by: key, auxiliary: Bytes32())
    return replacements.reduce(event.json().text) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
  }

  @Test("The canonical form escapes hostile content as NIP-01 requires")
  func canonicalFormFollowsNIP01ForHostileContent() throws {
    let key = try Samples.key(1).publicKey
    let event = UnsignedEvent(
      pubkey: key, createdAt: 0, kind: 65535, tags: [["e\"\\", ""], []],
      content: "\u{0}\u{8}\t\n\u{b}\u{c}\r\u{1f}\u{7f}\u{2028}/é🤙")
    #expect(
      event.canonicalForm().text
        == "[0,\"\(key.hex)\",0,65535,[[\"e\\\"\\\\\",\"\"],[]],\"\\u0000\\b\\t\\n\\u000b\\f\\r\\u001f\u{7f}\u{2028}/é🤙\"]")
    #expect(event.id() == SHA256.digest(of: event.canonicalForm()))
  }

  @Test("The id and signature of another program's event are valid") func idAndSignatureOfAKnownEvent() throws {
    // rust-nostr 0.45.1 over the same fields.
    let event = try Event(
      parsing: #"""
        {"id":"597d3c220efb9273cc5aac6d8fa412dabfd59e51f3a1102e9d7bf15465635bc2",
        "pubkey":"80466569fed4d6fa1be5414d4bfcb9bb42e09a5521e75e1d87cd02c0456f4171","created_at":1714078911,"kind":1,"tags":[],
        "content":"","sig":"2cd0ecc130870e88c3339866b34ee2d9ae2dc8609f3451357a4f485e948284729a6a64329b693842524cf7a48652808f50b5e2901900aff3e2f1ab4810d33ce8"}
        """#.bytes)
    #expect(throws: Never.self) { try event.verify() }
    #expect(event.unsigned.id() == event.id)
  }

  @Test("The published events have the right ids and signatures", .vectors("NIP-01 events"))
  func vectorsHaveTheirIDsAndSignatures() throws {
    for (index, item) in try Vectors.cases("nip01/events.json", "cases").enumerated() {
      let fields = try #require(item["event"] as? [String: Any])
      let event = try Event(parsing: try Samples.json(fields))
      #expect(throws: Never.self, "case \(index)") { try event.verify() }
      #expect(event.unsigned.canonicalForm().text == item["serialized"] as? String, "case \(index)")
      let key = try Samples.key(hex: try #require(item["secret_key"] as? String))
      #expect(key.publicKey == event.pubkey)
      #expect(try event.unsigned.signed(by: key).verify() == ())
      #expect(try Event(parsing: event.json()) == event)
    }
  }

  /// `==` of String takes é in one piece and in two for equal; an event is its bytes.
  @Test("Two events with the same id and signature but different contents are not equal") func whatAnEventSaysTellsItFromAnother()
    throws
  {
    let event = try Event(parsing: try sample([("hi", "\u{e9}")]).bytes)
    for text in ["hi", "e\u{301}"] { #expect(try Event(parsing: sample([("hi", text)]).bytes) != event) }
    #expect(try Event(parsing: sample([("1700000000", "1700000001"), ("hi", "\u{e9}")]).bytes) != event)
    #expect(try Event(parsing: sample([("hi", "\u{e9}")]).bytes) == event)
  }

  @Test("A signed event is valid, and any change is detected") func aSignedEventVerifiesAndAnyChangeIsSeen() throws {
    let event = try Event(parsing: try sample().bytes)
    #expect(throws: Never.self) { try event.verify() }
    #expect(event.firstTag("p") == "x")
    #expect(event.firstTag("q") == nil)
    for change in [("\"hi\"", "\"ho\""), ("\"kind\":1", "\"kind\":2"), ("1700000000", "1700000001"), ("\"z\"", "\"w\"")] {
      #expect(throws: EventError.wrongID) { try Event(parsing: try sample([change]).bytes).verify() }
    }
    let other = Event(
      id: event.id, pubkey: event.pubkey, createdAt: event.createdAt, kind: event.kind, tags: event.tags, content: event.content,
      signature: Signature(r: event.signature.s, s: event.signature.r))
    #expect(throws: EventError.invalidSignature) { try other.verify() }
  }

  @Test(
    "Malformed events are refused",
    arguments: [
      ("\"kind\":1", "\"kind\":65536", EventError.outOfRange(.kind, at: 185)),
      ("\"kind\":1", "\"kind\":-1", .outOfRange(.kind, at: 182)),
      ("\"kind\":1", "\"kind\":1.0", .json(.notInteger(at: 180))),
      ("\"kind\":1", "\"kind\":\"1\"", .json(.wrongType(at: 180))),
      ("1700000000", "-1", .outOfRange(.createdAt, at: 164)),
      ("1700000000", "1.7e9", .json(.notInteger(at: 162))),
      ("1700000000", "9223372036854775808", .json(.notInteger(at: 162))),
      ("1700000000", "null", .json(.wrongType(at: 162))),
      (",\"kind\":1", "", .missing(.kind)),
      (",\"content\":\"hi\"", "", .missing(.content)),
      ("\"id\":", "\"ID\":", .missing(.id)),
      ("\"kind\":1", "\"kind\":1,\"kind\":1", .duplicate(.kind, at: 183)),
      ("\"kind\":1", "\"kind\":1,\"k\\u0069nd\":2", .duplicate(.kind, at: 183)),
      ("\"hi\"", "\"\\ud83e\"", .json(.loneSurrogate(at: 229))),
      ("\"hi\"", "\"\n\"", .json(.controlCharacter(at: 229))),
      ("\"hi\"", "null", .json(.wrongType(at: 228))),
      ("[\"p\",\"x\"]", "[\"p\",1]", .json(.wrongType(at: 195))),
      ("[\"p\",\"x\"]", "[\"p\",null]", .json(.wrongType(at: 195))),
      ("[\"p\",\"x\"]", "\"p\"", .json(.wrongType(at: 190))),
      ("\"sig\":\"", "\"sig\":\"0", .notHex(.signature, at: 240)),
      ("\"pubkey\":\"", "\"pubkey\":\"A", .notHex(.pubkey, at: 83)),
    ])
  func rejectsMalformedEvents(part: String, with replacement: String, fault: EventError) throws {
    let text = try sample([(part, replacement)])
    #expect(throws: fault) { try Event(parsing: text.bytes) }
  }

  @Test("Upper-case hex and trailing bytes in an event are refused") func rejectsUpperCaseHexAndTrailingBytes() throws {
    let event = try Event(parsing: try sample().bytes)
    let upper = try sample([(event.id.hex, event.id.hex.uppercased())])
    #expect(throws: EventError.notHex(.id, at: 7)) { try Event(parsing: upper.bytes) }
    let json = try sample()
    #expect(throws: EventError.json(.trailingBytes(at: json.utf8.count))) { try Event(parsing: (json + "x").bytes) }
    #expect(throws: EventError.json(.unexpectedEnd(at: 0))) { try Event(parsing: []) }
  }

  @Test("Unknown members of an event are ignored up to a limited depth") func passesOverUnknownKeysToABoundedDepth() throws {
    let extra = #""seen":{"a":[1.5,null,{"b":"é"}]},"kind":1"#
    #expect(throws: Never.self) { try Event(parsing: try sample([("\"kind\":1", extra)]).bytes).verify() }
    let deep = String(repeating: "[", count: 16) + String(repeating: "]", count: 16)
    let text = try sample([("\"kind\":1", "\"x\":\(deep),\"kind\":1")])
    #expect(throws: EventError.json(.tooDeep(at: 192))) { try Event(parsing: text.bytes) }
  }

  @Test("Escapes that other programs write are decoded") func decodesEscapesOfOtherWriters() throws {
    let event = try Event(parsing: try sample([("\"hi\"", #""\u00e9\ud83e\udd19\/\u0068i""#)]).bytes)
    #expect(event.content == "é🤙/hi")
  }

  @Test("An event can have a mebibyte of content and 5000 tags") func carriesAMebibyteOfContentAndFiveThousandTags() throws {
    let key = try Samples.key(2)
    let content = String(repeating: "\u{1}é\"x", count: (1 << 20) / 5)
    let tags = (0..<5_000).map { ["t", "\($0)"] }
    let event = try UnsignedEvent(pubkey: key.publicKey, createdAt: 1, kind: 1, tags: tags, content: content).signed(by: key)
    let back = try Event(parsing: event.json())
    #expect(back == event)
    #expect(throws: Never.self) { try back.verify() }
  }

  @Test("The limits on events apply") func keepsItsLimits() throws {
    let text = try sample().bytes
    #expect(throws: EventError.tooLarge(.content, limit: 1)) { try Event(parsing: text, limits: .init(content: 1)) }
    #expect(throws: EventError.tooLarge(.tags, limit: 2)) { try Event(parsing: text, limits: .init(tags: 2)) }
    #expect(throws: EventError.tooLarge(.tags, limit: 4)) { try Event(parsing: text, limits: .init(tagItems: 4)) }
    #expect(throws: EventError.json(.tooLong(limit: 100))) { try Event(parsing: text, limits: .init(bytes: 100)) }
  }

  @Test("A written event reads back the same") func readsWhatItWrites() throws {
    var generator = Repeatable.announced()
    for _ in 0..<100 {
      let event = try Samples.event(&generator)
      #expect(try Event(parsing: event.json()) == event)
      let theirs = try #require(try JSONSerialization.jsonObject(with: Data(event.json())) as? [String: Any])
      #expect((theirs["content"] as? String)?.bytes == event.content.bytes)
      #expect(theirs["id"] as? String == event.id.hex)
    }
  }

  @Test("Random bytes never crash the parsers") func noBytesTrapTheParsers() throws {
    var generator = Repeatable.announced()
    let events = try (0..<8).map { _ in try Samples.event(&generator) }
    var accepted = 0
    for round in 0..<10_000 {
      let event = events[round % events.count]
      var bytes = [event.json(), RelayMessage.event(subscription: "s", event).json(), ClientMessage.event(event).json()][
        round % 3]
      for _ in 0..<Int.random(in: 1...3, using: &generator) { Samples.mutate(&bytes, &generator) }
      if round % 5 == 0 { bytes = Samples.noise(Int.random(in: 0...80, using: &generator), &generator) }
      if let event = try? Event(parsing: bytes) {
        accepted += 1
        #expect((try? Event(parsing: event.json())) == event)
      }
      _ = try? RelayMessage(parsing: bytes)
      _ = try? ClientMessage(parsing: bytes)
      _ = try? EventTemplate(parsing: bytes)
    }
    #expect(accepted > 0)
  }
}
