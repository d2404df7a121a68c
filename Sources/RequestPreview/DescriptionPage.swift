internal import Curve
internal import JSON
internal import Nostr
internal import RemoteSigning

/// The parts of one description, in reading order. Untrusted text is cleaned and cut here and nowhere else, so that no kind's
/// description can forget it.
package struct DescriptionPage {
  /// The longest text that is shown, in bytes.
  static let longestText = 8 << 10
  /// The longest text on one line, in bytes, such as a name, an address or a value.
  static let longestLine = 400
  /// The most entries of a list that are shown. Further ones are counted.
  static let mostEntries = 50
  /// The most people, or references of one type, that are shown.
  static let mostReferences = 8

  private(set) var parts: [JSONValue] = []
  private let identity: PublicKey

  /// - Parameter identity: the owner's key, to show "yourself".
  init(identity: PublicKey) { self.identity = identity }

  /// One line. A text that was cut ends in "…".
  package static func line(_ text: String) -> String {
    let shown = ShownText.clean(text, limit: longestLine)
    return shown == ShownText.clean(text, limit: longestLine + 4) ? shown : shown + "…"
  }

  // MARK: each kind of part

  /// A text as it will be shown. An empty text is left out.
  mutating func text(_ label: String, _ text: String) {
    let shown = ShownText.lines(text, limit: Self.longestText)
    guard !shown.text.isEmpty else { return }
    add("text", [.init("label", .string(label)), .init("text", .string(shown.text)), .init("truncated", .bool(shown.isCut))])
  }

  mutating func peer(_ label: String, _ key: PublicKey) {
    add("peer", [.init("label", .string(label))] + Self.members(of: key) + [.init("self", .bool(key == identity))])
  }

  /// A key as the app wrote it.
  mutating func peer(_ label: String, hex: String) {
    guard let key = PublicKey(hex: hex) else { return fact(label, "what stands there is no key") }
    peer(label, key)
  }

  mutating func url(_ label: String, _ address: ShownAddress, method: String?) {
    add(
      "url",
      [
        .init("label", .string(label)), .init("url", .string(address.text)), .init("host", .string(address.host)),
        .init("method", method.map { .string(Self.line($0)) } ?? .null),
      ])
    for fault in address.faults { warning(fault) }
  }

  mutating func relay(_ label: String, _ url: String) {
    add("relay", [.init("label", .string(label)), .init("url", .string(Self.line(url)))])
  }

  mutating func reference(_ label: String, _ id: String) {
    add("reference", [.init("label", .string(label)), .init("id", .string(Self.line(id)))])
  }

  /// - Parameter time: seconds since 1970.
  mutating func date(_ label: String, _ time: Int64) {
    add("date", [.init("label", .string(label)), .init("time", .integer(time))])
  }

  mutating func fact(_ label: String, _ value: String) {
    let value = Self.line(value)
    if !value.isEmpty { add("fact", [.init("label", .string(label)), .init("value", .string(value))]) }
  }

  /// A sentence of this program.
  mutating func warning(_ text: String) { add("warning", [.init("text", .string(text))]) }

  mutating func list(_ label: String, _ change: ListChange) {
    add("list-diff", [.init("label", .string(label))] + change.members)
  }

  mutating func fields(_ label: String, _ fields: [JSONValue], hasBaseline: Bool) {
    add(
      "field-diff",
      [.init("label", .string(label)), .init("fields", .array(fields)), .init("baseline", .bool(hasBaseline))])
  }

  static func members(of key: PublicKey) -> [JSONValue.Member] {
    [.init("npub", .string(key.npub)), .init("pubkey", .string(key.hex))]
  }

  private mutating func add(_ type: String, _ members: [JSONValue.Member]) {
    parts.append(.object([.init("type", .string(type))] + members))
  }
}
