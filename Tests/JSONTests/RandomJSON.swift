import JSON
import TestSupport

enum RandomJSON {
  static func value(depth: Int, _ generator: inout Repeatable) -> JSONValue {
    switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &generator) {
    case 0: .null
    case 1: .bool(.random(using: &generator))
    case 2: .integer(.random(in: .min ... .max, using: &generator) >> Int64.random(in: 0...63, using: &generator))
    case 3: .number("\(Int.random(in: -9...9, using: &generator)).5e-3")
    case 4: .string(string(&generator))
    case 5: .array((0..<Int.random(in: 0...4, using: &generator)).map { _ in value(depth: depth - 1, &generator) })
    default:
      .object(
        (0..<Int.random(in: 0...4, using: &generator)).map { index in
          .init("\(index)" + string(&generator), value(depth: depth - 1, &generator))
        })
    }
  }

  static func string(_ generator: inout Repeatable) -> String {
    let scalars: [Unicode.Scalar] = [
      "a", "b", " ", "/", "\"", "\\", "\n", "\t", "\u{0}", "\u{1f}", "\u{7f}", "\u{e9}", "\u{301}", "\u{2028}", "\u{ffff}", "🤙",
    ]
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...30, using: &generator) { text.append(scalars.randomElement(using: &generator) ?? "a") }
    return String(text)
  }

  /// Changes, drops, doubles or puts in one byte.
  static func mutate(_ bytes: inout [UInt8], _ generator: inout Repeatable) {
    let signs = Array("\"\\{}[]:,u0dD8-.eE \n".utf8) + [0, 0x80, 0xc3, 0xed, 0xf4, 0xff]
    guard let place = bytes.indices.randomElement(using: &generator) else { return }
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: bytes[place] = signs.randomElement(using: &generator) ?? 0
    case 1: bytes.remove(at: place)
    case 2: bytes.insert(signs.randomElement(using: &generator) ?? 0, at: place)
    default: bytes.removeSubrange(place...)
    }
  }
}
