import JSON
import Nostr

/// The profile: the previous and the new value of each field.
extension EventDescription {
  /// The most fields that are shown; more than any profile has.
  private static let mostFields = 30
  /// Fields that determine where payments go.
  private static let payment = ["lud16", "lud06"]

  mutating func profile() {
    guard let new = Self.fields(template.content) else {
      page.warning("Apps cannot read this profile.")
      return page.text("Content", template.content)
    }
    let old = before.flatMap { Self.fields($0.content) }
    let names = Self.names(old ?? [], new)
    let changes = names.compactMap { name in Self.change(name, Self.value(name, old ?? []), Self.value(name, new)) }
    page.fields("Profile", Array(changes.prefix(Self.mostFields)), hasBaseline: old != nil)
    if changes.count > Self.mostFields { page.fact("Profile", "and \(changes.count - Self.mostFields) more fields") }
    if old == nil { page.fact("Profile", "Holdfast knows no earlier profile, so it cannot show what changes") }
    if changes.isEmpty { page.fact("Profile", old == nil ? "it is empty" : "nothing changes") }
    if Self.payment.contains(where: { Self.value($0, old ?? []) != Self.value($0, new) }) {
      page.warning("This changes where payments to you go.")
    }
  }

  private static func fields(_ content: String) -> [JSONValue.Member]? {
    (try? JSONValue(parsing: Array(content.utf8)))?.members
  }

  private static func names(_ old: [JSONValue.Member], _ new: [JSONValue.Member]) -> [String] {
    var seen: Set<String> = []
    return (new + old).map(\.key).filter { seen.insert($0).inserted }
  }

  private static func value(_ name: String, _ fields: [JSONValue.Member]) -> JSONValue? {
    fields.first { $0.key == name }?.value
  }

  private static func change(_ name: String, _ before: JSONValue?, _ after: JSONValue?) -> DescriptionPart.FieldChange? {
    guard before != after else { return nil }
    return .init(name: DescriptionPage.line(name), before: before.map(shown), after: after.map(shown))
  }

  private static func shown(_ value: JSONValue) -> String {
    DescriptionPage.line(value.string ?? String(decoding: value.serialized(), as: UTF8.self))
  }
}
