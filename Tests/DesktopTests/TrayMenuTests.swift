import Testing

@testable import Desktop

@Suite("The icon's menu") struct TrayMenuTests {
  static let contents = TrayContents(
    .open, tip: "", entries: [.init(1, "one_two"), .init(2, ""), .init(3, "three", isEnabled: false)])

  static func call(_ member: String, _ values: [BusValue]) -> BusCall {
    BusCall(number: 1, sender: ":1.1", interface: TrayMenu.name, member: member, values: values)
  }

  static func event(_ id: Int32, _ name: String) -> BusValue {
    .structure([.int32(id), .text(name), .variant(.int32(0)), .uint32(0)])
  }

  @Test("The whole menu is the layout of entry 0, and an entry that is not there has none") func layout() throws {
    let whole = try #require(
      TrayMenu.answer(Self.call("GetLayout", [.int32(0), .int32(-1), .array(of: "s", [])]), Self.contents, revision: 7)
    ).get()
    #expect(whole.map(\.signature) == ["u", "(ia{sv}av)"] && whole.first == .uint32(7))
    #expect(whole[1].elements?[2].elements?.count == 3)
    let none = TrayMenu.answer(Self.call("GetLayout", [.int32(9), .int32(-1), .array(of: "s", [])]), Self.contents, revision: 7)
    #expect(none == .failure(.noEntry))
  }

  @Test("An underscore is no shortcut, and an entry without a text is a line") func labels() throws {
    func property(_ id: Int32, _ name: String) -> BusAnswer? {
      TrayMenu.answer(Self.call("GetProperty", [.int32(id), .text(name)]), Self.contents, revision: 1)
    }
    #expect(property(1, "label") == .success([.variant(.text("one__two"))]))
    #expect(property(2, "type") == .success([.variant(.text("separator"))]))
    #expect(property(3, "enabled") == .success([.variant(.flag(false))]))
    #expect(property(2, "label") == .failure(.noEntry))
  }

  @Test("Only clicks choose, alone and in groups") func clicks() {
    let one = Self.event(1, "clicked").elements ?? []
    #expect(TrayMenu.chosen(Self.call("Event", one)) == [1])
    #expect(TrayMenu.chosen(Self.call("Event", Self.event(1, "hovered").elements ?? [])) == [])
    let group = BusValue.array(of: "(isvu)", [Self.event(1, "clicked"), Self.event(3, "opened"), Self.event(2, "clicked")])
    #expect(TrayMenu.chosen(Self.call("EventGroup", [group])) == [1, 2])
  }

  @Test("Every property that the item names has a value of its type") func properties() {
    for property in TrayItem.interface.properties {
      #expect(TrayItem.property(property.name, Self.contents)?.signature == property.type, "\(property.name)")
    }
    for property in TrayMenu.interface.properties { #expect(TrayMenu.property(property.name)?.signature == property.type) }
  }
}
