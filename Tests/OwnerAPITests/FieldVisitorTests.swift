import JSON
import OwnerAPI
import SecretMemory
import Testing

/// Reading and writing the members of requests and answers.
@Suite struct FieldVisitorTests {
  enum Colour: String, Word { case red, green = "dark-green" }

  struct Part: Fields, Equatable {
    var number: Int64 = 0
    init() {}
    init(_ number: Int64) { self.number = number }
    mutating func visit(_ fields: FieldVisitor) throws(FieldError) { try fields.integer("number", &number, "A number.") }
  }

  struct Everything: Fields {
    var name = ""
    var note: String?
    var colour = Colour.red
    var relays: [String] = []
    var isNew = false
    var limit = Change<Int64>.unchanged
    var part: Part?
    var parts: [Part] = []
    var passphrase: SecretBox?
    init() {}
    mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.text("name", &name, "A name.")
      try fields.text("note", &note, "A note.")
      try fields.word("colour", &colour, "A colour.")
      try fields.texts("relays", &relays, "Relays.")
      try fields.flag("new", &isNew, "Whether it is new.")
      try fields.change("limit", &limit, "A limit.")
      try fields.object("part", &part, "A part.")
      try fields.objects("parts", &parts, "Parts.")
      try fields.secret("passphrase", &passphrase, "A passphrase.")
    }
  }

  enum Try: OwnerOperation {
    static let properties = OperationProperties.action("test/try", "Try it.", from: .session)
    typealias Request = Everything
    typealias Response = Everything
  }

  private static func secret() throws -> SecretBox {
    try Array("secret".utf8).withUnsafeBytes { SecretBox(try SecretBytes(copying: $0)) }
  }

  private static func read(_ json: JSONValue, secrets: [String: SecretBox] = [:]) throws(FieldError) -> Everything {
    try Try.request(from: ControlRequest("test/try", json, secrets: secrets))
  }

  @Test("A request is the same after encoding and decoding") func roundTrip() throws {
    var request = Everything()
    request.name = "a"
    request.colour = .green
    request.relays = ["ws://a", "ws://b"]
    request.isNew = true
    request.limit = .to(nil)
    request.part = Part(1)
    request.parts = [Part(2), Part(3)]
    request.passphrase = try Self.secret()
    let call = Try.call(request)
    #expect(
      call.parameters == [
        "name": "a", "colour": "dark-green", "relays": ["ws://a", "ws://b"], "new": true, "limit": nil, "part": ["number": 1],
        "parts": [["number": 2], ["number": 3]],
      ])
    #expect(call.operation == "test/try" && call.secrets["passphrase"] === request.passphrase)
    let again = try Self.read(call.parameters, secrets: call.secrets)
    #expect(again.name == "a" && again.note == nil && again.colour == .green && again.relays == request.relays && again.isNew)
    #expect(again.limit == .to(nil) && again.part == Part(1) && again.parts == [Part(2), Part(3)])
    #expect(again.passphrase === request.passphrase)
  }

  @Test("A response contains every member, null when empty, and leaves secrets blank") func answer() throws {
    var answer = Everything()
    answer.name = "a"
    answer.passphrase = try Self.secret()
    let result = Try.result(answer)
    #expect(
      result.json == [
        "name": "a", "note": nil, "colour": "red", "relays": [], "new": false, "part": nil, "parts": [], "passphrase": nil,
      ])
    #expect(try Try.response(from: result).passphrase === answer.passphrase)
  }

  private static let faulty: [(String, FieldError)] = [
    ("{}", .missing("name")), (#"{"name":""}"#, .missing("name")), (#"{"name":1}"#, .notText("name")),
    (#"{"name":"a"}"#, .missing("colour")),
    (#"{"name":"a","colour":"blue"}"#, .notAWord("colour", words: ["red", "dark-green"])),
    (#"{"name":"a","colour":1}"#, .notAWord("colour", words: ["red", "dark-green"])),
    (#"{"name":"a","colour":"red","relays":"x"}"#, .notTexts("relays")),
    (#"{"name":"a","colour":"red","relays":["x",1]}"#, .notTexts("relays")),
    (#"{"name":"a","colour":"red","new":1}"#, .notFlag("new")), (#"{"name":"a","colour":"red","new":"yes"}"#, .notFlag("new")),
    (#"{"name":"a","colour":"red","limit":"1"}"#, .notInteger("limit")),
    (#"{"name":"a","colour":"red","limit":1.5}"#, .notInteger("limit")),
    (#"{"name":"a","colour":"red","part":1}"#, .notObject("part")),
    (#"{"name":"a","colour":"red","part":{"number":"1"}}"#, .notInteger("number")),
    (#"{"name":"a","colour":"red","parts":{"number":1}}"#, .notArray("parts")),
    (#"{"name":"a","colour":"red","passphrase":"x"}"#, .secretAmongParameters("passphrase")),
  ]

  @Test("A missing member, or one of the wrong type, is named in the error", arguments: faulty)
  func faults(given: String, fault: FieldError) throws {
    let parameters = try JSONValue(parsing: Array(given.utf8))
    #expect(throws: fault) { try Self.read(parameters) }
  }

  @Test("A setting that is left out keeps its value, and null removes it") func changes() throws {
    #expect(try Self.read(["name": "a", "colour": "red"]).limit == .unchanged)
    #expect(try Self.read(["name": "a", "colour": "red", "limit": nil]).limit == .to(nil))
    #expect(try Self.read(["name": "a", "colour": "red", "limit": 7]).limit == .to(7))
  }

  @Test("Unknown members are ignored") func unknownMembers() throws {
    #expect(try Self.read(["name": "a", "colour": "red", "later": [1, 2]]).name == "a")
  }
}
