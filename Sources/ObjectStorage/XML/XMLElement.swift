/// An element of a server's response: its name without namespace, its child elements, its own text.
package struct XMLElement: Equatable {
  /// The deepest nesting.
  package static let maximumDepth = 16
  /// The most elements of one response.
  package static let maximumCount = 50_000

  package let name: String
  package private(set) var children: [XMLElement] = []
  /// Usually UTF-8; all pieces joined.
  package private(set) var text: [UInt8] = []

  private init(_ name: String) { self.name = name }

  /// Reads one element, which must be the whole text.
  package init(parsing bytes: [UInt8]) throws(XMLError) {
    var reader = XMLReader(bytes)
    var open: [XMLElement] = []
    var count = 0
    while let token = try reader.next() {
      switch token {
      case .start(let name):
        count += 1
        guard count <= Self.maximumCount else { throw .tooMany(limit: Self.maximumCount) }
        guard open.count < Self.maximumDepth else { throw .tooDeep(limit: Self.maximumDepth) }
        open.append(XMLElement(name))
      case .text(let text):
        guard !open.isEmpty else { throw .malformed(at: 0) }
        open[open.count - 1].text += text
      case .end(let name):
        guard let closed = open.popLast(), closed.name == name else { throw .malformed(at: 0) }
        guard !open.isEmpty else {
          guard try reader.next() == nil else { throw .malformed(at: bytes.count) }
          self = closed
          return
        }
        open[open.count - 1].children.append(closed)
      }
    }
    throw .malformed(at: bytes.count)
  }

  /// The child elements of that name.
  func all(_ name: String) -> [XMLElement] { children.filter { $0.name == name } }

  /// The first child element of that name.
  subscript(_ name: String) -> XMLElement? { children.first { $0.name == name } }

  /// Its text without surrounding white space. Nil when it is not UTF-8.
  var string: String? {
    var inner = text[...]
    while let first = inner.first, first <= 0x20 { inner = inner.dropFirst() }
    while let last = inner.last, last <= 0x20 { inner = inner.dropLast() }
    return String(validating: inner, as: UTF8.self)
  }
}
