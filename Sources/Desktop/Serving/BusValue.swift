/// A value of the bus (D-Bus Specification, "Type System"), of the types that Holdfast uses.
package indirect enum BusValue: Sendable, Hashable {
  case text(String)
  case path(String)
  case flag(Bool)
  case byte(UInt8)
  case int32(Int32)
  case uint32(UInt32)
  /// An array of bytes.
  case bytes([UInt8])
  /// An array whose elements have this signature.
  case array(of: String, [BusValue])
  case structure([BusValue])
  /// An entry of a dictionary, which is an array of these.
  case entry(BusValue, BusValue)
  case variant(BusValue)

  /// Its type, as the bus writes it.
  package var signature: String {
    switch self {
    case .text: "s"
    case .path: "o"
    case .flag: "b"
    case .byte: "y"
    case .int32: "i"
    case .uint32: "u"
    case .bytes: "ay"
    case .array(let element, _): "a" + element
    case .structure(let values): "(" + values.map(\.signature).joined() + ")"
    case .entry(let key, let value): "{" + key.signature + value.signature + "}"
    case .variant: "v"
    }
  }

  /// A dictionary from texts to variants.
  package static func dictionary(_ entries: [(String, BusValue)]) -> BusValue {
    .array(of: "{sv}", entries.map { .entry(.text($0.0), .variant($0.1)) })
  }

  package var text: String? { if case .text(let text) = self { text } else { nil } }
  package var int32: Int32? { if case .int32(let number) = self { number } else { nil } }
  package var uint32: UInt32? { if case .uint32(let number) = self { number } else { nil } }

  /// The elements of an array or structure.
  package var elements: [BusValue]? {
    switch self {
    case .array(_, let elements), .structure(let elements): elements
    default: nil
    }
  }

  /// What a dictionary from texts to variants has under a name.
  package subscript(name: String) -> BusValue? {
    for case .entry(.text(name), .variant(let value)) in elements ?? [] { return value }
    return nil
  }
}
