public import JSON
public import SecretMemory

/// The result of a successful operation: an object, and the secrets that belong into it.
///
/// A secret replaces the member with its name, which is null or an empty list in the object. A secret is never part of a
/// `JSONValue`, whose texts cannot be wiped. It becomes JSON only in guarded memory, where it is shown (`writeFilled`).
public struct ControlResult: Sendable {
  /// A member that is secret.
  public enum Secret: Sendable {
    case text(SecretBox)
    case list([SecretBox])

    /// Its text, or its texts in order.
    public var texts: [SecretBox] {
      switch self {
      case .text(let text): [text]
      case .list(let texts): texts
      }
    }
  }

  /// An object whose members depend on the operation.
  public let json: JSONValue
  /// The secrets, by the name of the member that they replace.
  public let secrets: [String: Secret]

  /// A result by its parts.
  public init(_ json: JSONValue, secrets: [String: Secret] = [:]) { (self.json, self.secrets) = (json, secrets) }

  /// A member that is not secret.
  public subscript(_ name: String) -> JSONValue? { json[name] }

  /// The texts of a secret member; empty if there is none with that name.
  public func texts(_ name: String) -> [SecretBox] { secrets[name]?.texts ?? [] }
}

extension ControlResult: ExpressibleByDictionaryLiteral {
  /// A result without secrets.
  public init(dictionaryLiteral members: (String, JSONValue)...) {
    self.init(.object(members.map { JSONValue.Member($0.0, $0.1) }))
  }
}

extension ControlResult: Equatable {
  /// Compares secrets in constant time for equal lengths.
  public static func == (a: ControlResult, b: ControlResult) -> Bool { a.json == b.json && a.secrets == b.secrets }
}

extension ControlResult.Secret: Equatable {
  /// Compares in constant time for equal lengths.
  public static func == (a: Self, b: Self) -> Bool {
    switch (a, b) {
    case (.text, .list), (.list, .text): false
    case (.text, .text), (.list, .list):
      a.texts.count == b.texts.count
        && zip(a.texts, b.texts).allSatisfy { a, b in a.withBytes { a in b.withBytes { constantTimeEqual(a, $0) } } }
    }
  }
}

extension ControlResult {
  /// Writes the object as JSON, with each secret in its place.
  public func writeFilled(to buffer: inout SecretBuffer) throws(SecretBytesError<Never>) {
    try buffer.append("{")
    for (index, member) in (json.members ?? []).enumerated() {
      if index > 0 { try buffer.append(",") }
      try buffer.append(JSONValue.string(member.key).serialized())
      try buffer.append(":")
      switch secrets[member.key] {
      case .text(let text)?: try buffer.append(quoted: text)
      case .list(let texts)?: try buffer.append(quoted: texts)
      case nil: try buffer.append(member.value.serialized())
      }
    }
    try buffer.append("}")
  }
}

extension SecretBuffer {
  fileprivate mutating func append(quoted texts: [SecretBox]) throws(SecretBytesError<Never>) {
    try append("[")
    for (index, text) in texts.enumerated() {
      if index > 0 { try append(",") }
      try append(quoted: text)
    }
    try append("]")
  }

  /// UTF-8 as a JSON string (RFC 8259, section 7).
  fileprivate mutating func append(quoted text: SecretBox) throws(SecretBytesError<Never>) {
    try append("\"")
    let written: Result<Void, SecretBytesError<Never>> = text.withBytes { bytes in
      Result { () throws(SecretBytesError<Never>) in
        var rest = bytes[...]
        while !rest.isEmpty {
          let plain = rest.prefix { $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C }
          if !plain.isEmpty { try append(UnsafeRawBufferPointer(rebasing: plain)) }
          rest = rest.dropFirst(plain.count)
          guard let special = rest.popFirst() else { return }
          try append(escape: special)
        }
      }
    }
    try written.get()
    try append("\"")
  }

  private mutating func append(escape byte: UInt8) throws(SecretBytesError<Never>) {
    guard byte < 0x20 else { return try append([0x5C, byte]) }
    func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }
    try append([0x5C, UInt8(ascii: "u"), 0x30, 0x30, digit(byte >> 4), digit(byte & 15)])
  }
}
