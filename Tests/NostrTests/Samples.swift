import Curve
import Encodings
import Foundation
import Nostr
import SecretMemory
import TestSupport
import Testing

/// Keys, texts and noise for the tests. No key here guards anything.
enum Samples {
  /// The key pair of a small number.
  static func key(_ number: UInt8) throws -> KeyPair { try key(hex: String(repeating: "0", count: 62) + hexByte(number)) }

  static func key(hex: String) throws -> KeyPair { try KeyPair(try secret(hex: hex)) }

  static func secret(hex: String) throws -> SecretKey {
    var bytes = try #require(Hex.decode(hex))
    return try SecretKey(try SecretBytes(wiping: &bytes))
  }

  static func bytes32(_ hex: Any?) throws -> Bytes32 { try #require((hex as? String).flatMap { Bytes32(hex: $0) }) }

  static func json(_ value: Any) throws -> [UInt8] { [UInt8](try JSONSerialization.data(withJSONObject: value)) }

  /// An event of random shape, signed.
  static func event(_ generator: inout Repeatable) throws -> Event {
    let key = try key(UInt8.random(in: 1...20, using: &generator))
    let tags = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
      (0..<Int.random(in: 0...3, using: &generator)).map { _ in text(&generator) }
    }
    return try UnsignedEvent(
      pubkey: key.publicKey, createdAt: .random(in: 0...Int64.max, using: &generator),
      kind: .random(in: 0...65535, using: &generator), tags: tags, content: text(&generator)
    ).signed(by: key, auxiliary: Bytes32())
  }

  static func text(_ generator: inout Repeatable) -> String {
    let scalars: [Unicode.Scalar] = [
      "a", "b", " ", "/", "\"", "\\", "\n", "\t", "\u{0}", "\u{1f}", "\u{7f}", "\u{e9}", "\u{301}", "\u{2028}", "\u{ffff}", "🤙",
    ]
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...40, using: &generator) { text.append(scalars.randomElement(using: &generator) ?? "a") }
    return String(text)
  }

  static func noise(_ count: Int, _ generator: inout Repeatable) -> [UInt8] {
    (0..<count).map { _ in .random(in: 0...255, using: &generator) }
  }

  /// Changes, drops, doubles or puts in a byte, or cuts the end off.
  static func mutate(_ bytes: inout [UInt8], _ generator: inout Repeatable) {
    let signs = Array("\"\\{}[]:,u0dD8-.eE \nqz1+/=?#".utf8) + [0, 0x80, 0xc3, 0xed, 0xf4, 0xff]
    guard let place = bytes.indices.randomElement(using: &generator) else { return }
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: bytes[place] = signs.randomElement(using: &generator) ?? 0
    case 1: bytes.remove(at: place)
    case 2: bytes.insert(bytes[place], at: place)
    case 3: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &generator)
    default: bytes.removeSubrange(place...)
    }
  }

  private static func hexByte(_ byte: UInt8) -> String { Hex.encode([byte]) }
}

extension String {
  var bytes: [UInt8] { Array(utf8) }
}

extension [UInt8] {
  var text: String { String(decoding: self, as: UTF8.self) }
}
