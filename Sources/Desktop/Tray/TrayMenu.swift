/// The menu of the item (com.canonical.dbusmenu): one level, whose root is number 0.
enum TrayMenu {
  static let path = "/MenuBar"
  static let name = "com.canonical.dbusmenu"
  private static let layout = "(ia{sv}av)"
  private static let properties = "(ia{sv})"

  static let interface = BusInterface(
    name,
    methods: [
      .init(
        "GetLayout", takes: [("parentId", "i"), ("recursionDepth", "i"), ("propertyNames", "as")],
        gives: [("revision", "u"), ("layout", layout)]),
      .init("GetGroupProperties", takes: [("ids", "ai"), ("propertyNames", "as")], gives: [("properties", "a" + properties)]),
      .init("GetProperty", takes: [("id", "i"), ("name", "s")], gives: [("value", "v")]),
      .init("Event", takes: [("id", "i"), ("eventId", "s"), ("data", "v"), ("timestamp", "u")]),
      .init("EventGroup", takes: [("events", "a(isvu)")], gives: [("idErrors", "ai")]),
      .init("AboutToShow", takes: [("id", "i")], gives: [("needUpdate", "b")]),
      .init("AboutToShowGroup", takes: [("ids", "ai")], gives: [("updatesNeeded", "ai"), ("idErrors", "ai")]),
    ],
    properties: [("Version", "u"), ("TextDirection", "s"), ("Status", "s"), ("IconThemePath", "as")],
    signals: [
      .init("ItemsPropertiesUpdated", [("updated", "a" + properties), ("removed", "a(ias)")]),
      .init("LayoutUpdated", [("revision", "u"), ("parent", "i")]),
      .init("ItemActivationRequested", [("id", "i"), ("timestamp", "u")]),
    ])

  static func property(_ name: String) -> BusValue? {
    switch name {
    case "Version": .uint32(3)
    case "TextDirection": .text("ltr")
    case "Status": .text("normal")
    case "IconThemePath": .array(of: "s", [])
    default: nil
    }
  }

  /// The answer to a call that only reads. A depth and a choice of properties may be asked for; all are given.
  /// - Returns: nil for an event.
  static func answer(_ call: BusCall, _ contents: TrayContents, revision: UInt32) -> BusAnswer? {
    switch call.member {
    case "GetLayout":
      return layout(of: call.values[0].int32 ?? 0, contents).map { .success([.uint32(revision), $0]) } ?? .failure(.noEntry)
    case "GetGroupProperties":
      let ids = Set(call.values[0].elements?.compactMap(\.int32) ?? [])
      let asked = contents.entries.filter { ids.isEmpty || ids.contains($0.id) }
      return .success([.array(of: properties, asked.map { .structure([.int32($0.id), .dictionary(shown($0))]) })])
    case "GetProperty":
      let entry = contents.entries.first { $0.id == call.values[0].int32 }
      let value = entry.flatMap { entry in shown(entry).first { $0.0 == call.values[1].text }?.1 }
      return value.map { .success([.variant($0)]) } ?? .failure(.noEntry)
    case "AboutToShow": return .success([.flag(false)])
    case "AboutToShowGroup": return .success([.array(of: "i", []), .array(of: "i", [])])
    default: return nil
    }
  }

  /// The entries that an event or a group of events chooses.
  static func chosen(_ call: BusCall) -> [Int32] {
    let events = call.member == "Event" ? [call.values] : call.values.first?.elements?.compactMap(\.elements) ?? []
    return events.compactMap { event in event.count == 4 && event[1].text == "clicked" ? event[0].int32 : nil }
  }

  private static func layout(of id: Int32, _ contents: TrayContents) -> BusValue? {
    let entries = contents.entries.map { entry in item(entry.id, shown(entry), []) }
    if id == 0 { return item(0, [("children-display", .text("submenu"))], entries) }
    return contents.entries.first { $0.id == id }.map { item($0.id, shown($0), []) }
  }

  private static func item(_ id: Int32, _ properties: [(String, BusValue)], _ children: [BusValue]) -> BusValue {
    .structure([.int32(id), .dictionary(properties), .array(of: "v", children.map { .variant($0) })])
  }

  private static func shown(_ entry: TrayContents.Entry) -> [(String, BusValue)] {
    guard !entry.label.isEmpty else { return [("type", .text("separator"))] }
    // An underscore marks the letter of a shortcut; two are one.
    let label = entry.label.map { $0 == "_" ? "__" : String($0) }.joined()
    return [("label", .text(label)), ("enabled", .flag(entry.isEnabled)), ("visible", .flag(true))]
  }
}

extension BusFault {
  static let noEntry = BusFault("org.freedesktop.DBus.Error.InvalidArgs", "The menu has no such entry or property.")
}
