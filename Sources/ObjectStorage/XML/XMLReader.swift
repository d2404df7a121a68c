/// Reads elements and text from a server's response: the part of XML 1.0 that WebDAV and S3 use, in UTF-8. Namespaces are
/// dropped: the name of `D:href` is `href`. Attributes are skipped.
struct XMLReader {
  enum Token: Equatable { case start(String), end(String), text([UInt8]) }

  /// The longest name of an element, in bytes.
  static let maximumName = 128

  private let bytes: [UInt8]
  private var place = 0
  /// The pending end of an empty element.
  private var pending: String?

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { place = 3 }
  }

  /// The next element's start or end, or text that is not only white space. Nil at the end.
  mutating func next() throws(XMLError) -> Token? {
    if let name = pending {
      pending = nil
      return .end(name)
    }
    while place < bytes.count {
      if bytes[place] != UInt8(ascii: "<") {
        let text = try text()
        if !text.allSatisfy(Self.isSpace) { return .text(text) }
      } else if skip("<!--") {
        try pass("-->")
      } else if skip("<![CDATA[") {
        let start = place
        try pass("]]>")
        return .text(Array(bytes[start..<place - 3]))
      } else if skip("<?") {
        try pass("?>")
      } else if skip("<!") {
        throw .hasDocumentType
      } else if skip("</") {
        let name = try name()
        passSpace()
        guard skip(">") else { throw .malformed(at: place) }
        return .end(name)
      } else {
        place += 1
        return try start()
      }
    }
    return nil
  }

  private mutating func start() throws(XMLError) -> Token {
    let name = try name()
    while true {
      passSpace()
      if skip("/>") {
        pending = name
        return .start(name)
      }
      if skip(">") { return .start(name) }
      _ = try self.name()
      passSpace()
      guard skip("="), place < bytes.count else { throw .malformed(at: place) }
      passSpace()
      let quote = place < bytes.count ? bytes[place] : 0
      guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
        let end = bytes[(place + 1)...].firstIndex(of: quote)
      else { throw .malformed(at: place) }
      place = end + 1
    }
  }

  /// The name without the part before the colon.
  private mutating func name() throws(XMLError) -> String {
    let start = place
    while place < bytes.count, Self.isName(bytes[place]) { place += 1 }
    guard place > start, place - start <= Self.maximumName else { throw .malformed(at: start) }
    let name = bytes[start..<place]
    let local = name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name
    guard !local.isEmpty else { throw .malformed(at: start) }
    return String(decoding: local, as: UTF8.self)
  }

  private mutating func text() throws(XMLError) -> [UInt8] {
    var text: [UInt8] = []
    while place < bytes.count, bytes[place] != UInt8(ascii: "<") {
      guard bytes[place] == UInt8(ascii: "&") else {
        text.append(bytes[place])
        place += 1
        continue
      }
      let start = place
      guard let end = bytes[place...].prefix(12).firstIndex(of: UInt8(ascii: ";")),
        let meant = Self.entity(String(decoding: bytes[(place + 1)..<end], as: UTF8.self))
      else { throw .malformed(at: start) }
      text += meant
      place = end + 1
    }
    return text
  }

  private static func entity(_ name: String) -> [UInt8]? {
    switch name {
    case "lt": return [UInt8(ascii: "<")]
    case "gt": return [UInt8(ascii: ">")]
    case "amp": return [UInt8(ascii: "&")]
    case "quot": return [UInt8(ascii: "\"")]
    case "apos": return [UInt8(ascii: "'")]
    default: break
    }
    let number: UInt32? =
      name.hasPrefix("#x") ? UInt32(name.dropFirst(2), radix: 16) : name.hasPrefix("#") ? UInt32(name.dropFirst()) : nil
    guard let number, number > 0, let scalar = Unicode.Scalar(number) else { return nil }
    return Array(String(Character(scalar)).utf8)
  }

  // MARK: places

  private mutating func skip(_ text: StaticString) -> Bool {
    let found = text.withUTF8Buffer { text in
      bytes.count - place >= text.count && bytes[place..<place + text.count].elementsEqual(text)
    }
    if found { place += text.utf8CodeUnitCount }
    return found
  }

  /// Skips to the end of the next occurrence of a text.
  private mutating func pass(_ text: StaticString) throws(XMLError) {
    let start = place
    while place < bytes.count {
      if skip(text) { return }
      place += 1
    }
    throw .malformed(at: start)
  }

  private mutating func passSpace() { while place < bytes.count, Self.isSpace(bytes[place]) { place += 1 } }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d }

  private static func isName(_ byte: UInt8) -> Bool {
    (0x30...0x3a).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte) || byte == 0x5f || byte == 0x2d
      || byte == 0x2e || byte >= 0x80
  }
}
