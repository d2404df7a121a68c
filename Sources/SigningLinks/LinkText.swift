import Encodings

/// A link in its parts: `scheme:path?name=value&…`.
struct LinkText {
  /// The most bytes of a link.
  static let longest = 64 << 10
  /// The most parameters of a link.
  static let mostParameters = 32

  /// In lower case.
  let scheme: String
  /// What stands between the scheme and the question mark, not decoded.
  let path: String
  private let parameters: [(name: String, value: String)]

  /// - Throws: `.tooLarge`, or `.invalid` for what is no link, is not ASCII or has a parameter twice.
  init(_ text: String) throws(LinkFault) {
    guard text.utf8.count <= Self.longest else { throw .tooLarge }
    guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), let colon = text.firstIndex(of: ":") else { throw .notALink }
    scheme = text[..<colon].lowercased()
    let rest = text[text.index(after: colon)...].prefix { $0 != "#" }
    let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = String(parts[0])
    parameters = try Self.parameters(parts.count > 1 ? parts[1] : "")
  }

  /// - Parameter query: `name=value`, decoded.
  init(path: String, query: [String]) throws(LinkFault) {
    guard query.reduce(0, { $0 + $1.utf8.count }) <= Self.longest else { throw .tooLarge }
    let encoded = query.map { part in
      let name = part.prefix { $0 != "=" }
      return name + "=" + PercentCoding.encoded(String(part.dropFirst(name.count + 1)))
    }
    (scheme, self.path) = ("https", path)
    parameters = try Self.parameters(Substring(encoded.joined(separator: "&")))
  }

  /// The value of that name, decoded. Nil when it is missing or empty.
  func value(_ name: String) throws(LinkFault) -> String? {
    guard let text = parameters.first(where: { $0.name == name })?.value, !text.isEmpty else { return nil }
    guard let value = PercentCoding.decoded(text) else { throw .notText(name) }
    return value
  }

  private static func parameters(_ query: Substring) throws(LinkFault) -> [(name: String, value: String)] {
    let pairs = query.split(separator: "&", maxSplits: mostParameters)
    guard pairs.count <= mostParameters else { throw .tooManyParameters }
    let parameters = pairs.map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (name: String(parts[0]), value: parts.count > 1 ? String(parts[1]) : "")
    }
    // With two values, two readers could each see another one.
    guard Set(parameters.map(\.name)).count == parameters.count else { throw .twice }
    return parameters
  }
}

/// Percent encoding, RFC 3986 section 2.1.
enum PercentCoding {
  /// - Returns: nil for a percent sign without two hex digits, and for what is not UTF-8.
  static func decoded(_ text: String) -> String? {
    var (bytes, rest) = ([UInt8](), Array(text.utf8)[...])
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(Hex.value(of:)), let low = rest.popFirst().flatMap(Hex.value(of:)) else {
        return nil
      }
      bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  /// Whether each percent sign has two hex digits behind it.
  static func isWhole(_ text: String) -> Bool {
    text.split(separator: "%", omittingEmptySubsequences: false).dropFirst().allSatisfy { part in
      part.utf8.count >= 2 && part.utf8.prefix(2).allSatisfy { Hex.value(of: $0) != nil }
    }
  }

  /// Encodes all but letters, digits, `-`, `.`, `_` and `~`.
  static func encoded(_ text: String) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: bytes.append(byte)
      default: bytes += [UInt8(ascii: "%")] + Array(Hex.encode([byte]).uppercased().utf8)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
