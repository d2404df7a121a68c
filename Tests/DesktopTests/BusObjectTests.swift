import Testing

@testable import Desktop

@Suite("Objects on the bus") struct BusObjectTests {
  static let object = BusObject(
    path: "/org/example/One",
    interfaces: [
      BusInterface(
        "org.example.One", methods: [.init("Say", takes: [("text", "s")], gives: [("said", "s")])], properties: [("Count", "u")])
    ],
    property: { _, _ in .uint32(7) }, call: { _ in })

  static func answer(_ interface: String, _ member: String, _ values: [BusValue] = []) -> BusAnswer? {
    object.standardAnswer(BusCall(number: 1, sender: ":1.1", interface: interface, member: member, values: values))
  }

  @Test("Introspection names methods, arguments and properties") func introspection() throws {
    let answer = try #require(Self.answer("org.freedesktop.DBus.Introspectable", "Introspect")).get()
    let xml = try #require(answer.first?.text)
    #expect(xml.contains(#"<method name="Say">"#) && xml.contains(#"<arg name="text" type="s" direction="in"/>"#))
    #expect(xml.contains(#"<property name="Count" type="u" access="read"/>"#))
  }

  @Test("A path above an object says where it is, another one says nothing")
  func above() throws {
    #expect(try #require(BusObject.introspection(of: "/", above: [Self.object])).contains(#"<node name="org"/>"#))
    #expect(try #require(BusObject.introspection(of: "/org/example", above: [Self.object])).contains(#"<node name="One"/>"#))
    for path in ["/org/ex", "/org/example/One", "/other"] {
      #expect(BusObject.introspection(of: path, above: [Self.object]) == nil)
    }
  }

  @Test("Properties are read, never set") func properties() {
    #expect(
      Self.answer(BusInterface.properties, "Get", [.text("org.example.One"), .text("Count")]) == .success([.variant(.uint32(7))]))
    #expect(Self.answer(BusInterface.properties, "Get", [.text("org.example.Two"), .text("Count")]) == .failure(.noProperty))
    #expect(Self.answer(BusInterface.properties, "Get", [.text("org.example.One"), .text("Other")]) == .failure(.noProperty))
    #expect(Self.answer(BusInterface.properties, "Set", []) == .failure(.readOnly))
    #expect(
      Self.answer(BusInterface.properties, "GetAll", [.text("org.example.One")])
        == .success([.dictionary([("Count", .uint32(7))])]))
  }

  @Test("A method is found by its interface, or without one") func methods() {
    #expect(Self.object.method(of: nil, "Say")?.interface == "org.example.One")
    #expect(Self.object.method(of: "org.example.One", "Say") != nil)
    #expect(Self.object.method(of: "org.example.Two", "Say") == nil)
    #expect(Self.object.method(of: nil, "Shout") == nil)
  }

  @Test(
    "A value has the type that the bus writes",
    arguments: [
      (BusValue.dictionary([("a", .flag(true))]), "a{sv}"), (.array(of: "(iiay)", []), "a(iiay)"),
      (.structure([.text(""), .array(of: "s", []), .variant(.byte(1))]), "(sasv)"), (.bytes([1]), "ay"),
    ])
  func signatures(value: BusValue, signature: String) { #expect(value.signature == signature) }
}
