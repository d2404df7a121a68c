import JSON
public import SecretMemory

/// Named texts as one JSON object that exists in guarded memory only: for values with several fields.
///
/// An empty text is as one that is not there. Every field must be UTF-8 without zero bytes being special; names are ASCII.
public struct SecretFields: Sendable {
  /// The most fields of one object.
  public static let maximumCount = 64

  private var fields: [String: SecretBox] = [:]

  /// No fields.
  public init() {}

  /// The text of a field, as secret bytes of UTF-8.
  public subscript(name: String) -> SecretBox? {
    get { fields[name] }
    set { fields[name] = newValue }
  }

  /// A field that is not secret alone, as text.
  public func text(_ name: String) -> String? { fields[name]?.withBytes { String(validating: $0, as: UTF8.self) } }

  /// Sets a field that is not secret alone. Empty text removes it.
  /// - Throws: `.vault(.outOfMemory)`.
  public mutating func set(_ name: String, text: String) throws(KeyStoreError) {
    guard !text.isEmpty else {
      fields[name] = nil
      return
    }
    var bytes = Array(text.utf8)
    do { fields[name] = SecretBox(try SecretBytes(wiping: &bytes)) } catch { throw .vault(.outOfMemory) }
  }
}

extension SecretFields: SecretCodable {
  /// The JSON object, its names in order.
  public func secretBytes() throws(KeyStoreError) -> SecretBytes {
    guard fields.count <= Self.maximumCount else { throw .corrupt("too many fields") }
    let ordered = fields.sorted { $0.key < $1.key }
    for (_, value) in ordered {
      guard value.withBytes({ String(validating: $0, as: UTF8.self) != nil }) else { throw .corrupt("a field that is no text") }
    }
    var length = Pen(target: nil)
    Self.write(ordered, with: &length)
    do {
      return try SecretBytes(count: length.position) { target in
        var pen = Pen(target: target)
        Self.write(ordered, with: &pen)
      }
    } catch { throw .vault(.outOfMemory) }
  }

  /// - Throws: `.corrupt` for anything but one object of texts, each name once.
  public init(secretBytes: borrowing SecretBytes) throws(KeyStoreError) {
    fields = try secretBytes.withBytes { bytes throws(KeyStoreError) in
      do { return try Self.read(bytes) } catch let error as KeyStoreError { throw error } catch {
        throw .corrupt("secret fields")
      }
    }
  }

  private static func read(_ bytes: UnsafeRawBufferPointer) throws -> [String: SecretBox] {
    var found: [String: SecretBox] = [:]
    var reader = try JSONReader(bytes)
    try reader.beginObject()
    while let name = try reader.nextKey()?.string {
      let text = try reader.readText()
      guard found.count < maximumCount, found[name] == nil else { throw KeyStoreError.corrupt("secret fields") }
      guard text.count > 0 else { continue }
      found[name] = try box(text)
    }
    try reader.end()
    return found
  }

  // Decoding never makes it longer; what is left over is cut off in a second copy.
  private static func box(_ text: JSONText) throws -> SecretBox {
    var written = 0
    let whole = try SecretBytes(count: text.count) { target in written = text.decode(into: target.bindMemory(to: UInt8.self)) }
    guard written < text.count else { return SecretBox(whole) }
    return SecretBox(try whole.withBytes { try SecretBytes(copying: UnsafeRawBufferPointer(rebasing: $0.prefix(written))) })
  }

  private static func write(_ fields: [(key: String, value: SecretBox)], with pen: inout Pen) {
    pen.put(UInt8(ascii: "{"))
    for (index, field) in fields.enumerated() {
      if index > 0 { pen.put(UInt8(ascii: ",")) }
      var name = field.key
      name.withUTF8 { pen.string(UnsafeRawBufferPointer($0)) }
      pen.put(UInt8(ascii: ":"))
      field.value.withBytes { pen.string($0) }
    }
    pen.put(UInt8(ascii: "}"))
  }
}

/// Writes JSON in place, or only counts its bytes: a text that grows would leave copies behind.
private struct Pen {
  let target: UnsafeMutableRawBufferPointer?
  var position = 0

  init(target: UnsafeMutableRawBufferPointer?) { self.target = target }

  mutating func put(_ byte: UInt8) {
    target?[position] = byte
    position += 1
  }

  mutating func string(_ text: UnsafeRawBufferPointer) {
    put(UInt8(ascii: "\""))
    for byte in text {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        put(UInt8(ascii: "\\"))
        put(byte)
      case 0..<0x20:
        for letter in "\\u00".utf8 { put(letter) }
        for digit in [byte >> 4, byte & 15] { put(digit < 10 ? 0x30 + digit : 0x57 + digit) }
      default: put(byte)
      }
    }
    put(UInt8(ascii: "\""))
  }
}
