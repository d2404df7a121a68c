import Curve
import Nostr
import RemoteSigning

/// The parts of one description, in reading order. Untrusted text is cleaned and cut here and nowhere else, so that no kind's
/// description can forget it.
package struct DescriptionPage {
  /// The longest text that is shown, in bytes.
  static let longestText = 8 << 10
  /// The longest text on one line, in bytes, such as a name, an address or a value.
  static let longestLine = 400
  /// The longest value of a profile's field, in bytes.
  static let longestField = 2 << 10
  /// The most entries of a list that are shown. Further ones are counted.
  static let mostEntries = 50
  /// The most people, or references of one type, that are shown.
  static let mostReferences = 8

  private(set) var parts: [DescriptionPart] = []
  let identity: PublicKey

  /// - Parameter identity: the owner's key, to show "yourself".
  init(identity: PublicKey) { self.identity = identity }

  /// One line. A text that was cut ends in "…".
  package static func line(_ text: String) -> String { ShownText.shortened(text, limit: longestLine) }

  /// The value of a profile's field, on one line. One that was cut ends in "…".
  static func field(_ value: String) -> String { ShownText.shortened(value, limit: longestField) }

  // MARK: each kind of part

  /// A text as it will be shown. An empty text is left out.
  mutating func text(_ label: String, _ text: String) {
    let shown = ShownText.lines(text, limit: Self.longestText)
    if !shown.text.isEmpty { parts.append(.text(label: label, text: shown.text, isCut: shown.isCut)) }
    if ShownText.hidesCharacters(of: text) {
      warning("This text has characters that cannot be seen. The exact request shows them.")
    }
  }

  mutating func peer(_ label: String, _ key: PublicKey) {
    parts.append(.peer(label: label, key: key, isSelf: key == identity))
  }

  /// A key as the app wrote it.
  mutating func peer(_ label: String, hex: String) {
    guard let key = PublicKey(hex: hex) else { return fact(label, "this is not a valid key") }
    peer(label, key)
  }

  mutating func url(_ label: String, _ address: ShownAddress, method: String?) {
    parts.append(.url(label: label, url: address.text, host: address.host, method: method.map(Self.line)))
    for fault in address.faults { warning(fault) }
  }

  mutating func relay(_ label: String, _ url: String) { parts.append(.relay(label: label, url: Self.line(url))) }

  mutating func reference(_ label: String, _ id: String) { parts.append(.reference(label: label, id: Self.line(id))) }

  /// - Parameter time: seconds since 1970.
  mutating func date(_ label: String, _ time: Int64) { parts.append(.date(label: label, time: time)) }

  mutating func fact(_ label: String, _ value: String) {
    let value = Self.line(value)
    if !value.isEmpty { parts.append(.fact(label: label, value: value)) }
  }

  /// A sentence of our own.
  mutating func warning(_ text: String, about: WarningSubject? = nil) { parts.append(.warning(text, about: about)) }

  mutating func list(_ label: String, _ change: ListChange) { parts.append(.listChange(label: label, change)) }

  mutating func fields(_ label: String, _ changes: [DescriptionPart.FieldChange], hasBaseline: Bool) {
    parts.append(.fieldChange(label: label, changes: changes, hasBaseline: hasBaseline))
  }
}
