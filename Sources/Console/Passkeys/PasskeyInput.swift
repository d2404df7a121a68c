import JSON

/// Passes untrusted bytes to every parser of this module, for the fuzzer. Must not trap.
package enum PasskeyInput {
  /// - Returns: for accepted CBOR, its bytes encoded again; nil for refused input.
  package static func rewritten(cbor bytes: [UInt8]) -> [UInt8]? {
    guard let value = try? CBORReader.value(bytes[...]) else { return nil }
    var text: [UInt8] = []
    write(value, to: &text)
    return text
  }

  /// - Parameter bytes: tried as authenticator data, as client data, as a JSON credential, and as a record.
  package static func read(_ bytes: [UInt8]) {
    _ = try? AuthenticatorData(bytes[...])
    if let origin = ConsoleOrigin(isSecure: false, host: "localhost", port: 24133) {
      _ = try? ClientData(bytes, for: .get, at: origin)
      _ = try? ClientData(bytes, for: .create, at: origin)
    }
    _ = Passkey(record: bytes).map { Passkey.shownName($0.name) }
    guard let json = try? JSONValue(parsing: bytes) else { return }
    _ = try? NewCredential(json)
    _ = try? SignedChallenge(json)
    let text = String(decoding: bytes, as: UTF8.self)
    _ = ConsoleOrigin(parsing: text, isSecure: false, port: 1)
  }

  private static func write(_ value: CBORReader.Value, to text: inout [UInt8]) {
    switch value {
    case .unsigned(let number): head(0, number, &text)
    case .negative(let number): head(1, number, &text)
    case .bytes(let bytes):
      head(2, UInt64(bytes.count), &text)
      text += bytes
    case .text(let string):
      head(3, UInt64(string.utf8.count), &text)
      text += Array(string.utf8)
    case .array(let values):
      head(4, UInt64(values.count), &text)
      for value in values { write(value, to: &text) }
    case .map(let entries):
      head(5, UInt64(entries.count), &text)
      for entry in entries {
        write(entry.key, to: &text)
        write(entry.value, to: &text)
      }
    case .bool(let bool): text.append(bool ? 0xF5 : 0xF4)
    case .null: text.append(0xF6)
    }
  }

  private static func head(_ type: UInt8, _ number: UInt64, _ text: inout [UInt8]) {
    let (short, count): (UInt8, Int) =
      switch number {
      case ..<24: (UInt8(number), 0)
      case ..<0x100: (24, 1)
      case ..<0x1_0000: (25, 2)
      case ..<0x1_0000_0000: (26, 4)
      default: (27, 8)
      }
    text.append(type << 5 | short)
    for index in (0..<count).reversed() { text.append(UInt8(truncatingIfNeeded: number >> (UInt64(index) * 8))) }
  }
}
