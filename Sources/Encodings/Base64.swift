/// Base 64, RFC 4648 section 4: standard alphabet, padded. Reading is strict: no white space, no missing or wrong padding,
/// no stray bits in the last digit, so that one text stands for one run of bytes.
public enum Base64 {
  private static let alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

  // 0 to 63 for a digit, 255 for any other byte.
  private static let values: [UInt8] = {
    var table = [UInt8](repeating: 255, count: 256)
    for index in 0..<64 { table[Int(alphabet.utf8Start[index])] = UInt8(index) }
    return table
  }()

  /// Length of the text for that many bytes.
  public static func encodedLength(_ count: Int) -> Int { (count + 2) / 3 * 4 }

  /// The text as ASCII bytes, padded.
  public static func encode(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: encodedLength(bytes.count)) { text, filled in
      filled = write(bytes, to: text)
    }
  }

  /// The text as ASCII bytes, padded.
  public static func encode(_ bytes: [UInt8]) -> [UInt8] { bytes.withUnsafeBytes { encode($0) } }

  /// The text as a string, padded. Not for secrets: a string cannot be wiped.
  public static func string(_ bytes: [UInt8]) -> String { String(decoding: encode(bytes), as: UTF8.self) }

  /// - Parameter text: at least `encodedLength` bytes.
  /// - Returns: the number of bytes written.
  public static func write(_ bytes: UnsafeRawBufferPointer, to text: UnsafeMutableBufferPointer<UInt8>) -> Int {
    precondition(text.count >= encodedLength(bytes.count))  // our own bug, never a stranger's bytes
    let digits = alphabet.utf8Start
    let whole = bytes.count / 3 * 3
    var source = 0
    var target = 0
    while source < whole {
      let group = UInt32(bytes[source]) << 16 | UInt32(bytes[source + 1]) << 8 | UInt32(bytes[source + 2])
      text[target] = digits[Int(group >> 18)]
      text[target + 1] = digits[Int(group >> 12 & 63)]
      text[target + 2] = digits[Int(group >> 6 & 63)]
      text[target + 3] = digits[Int(group & 63)]
      source += 3
      target += 4
    }
    guard whole < bytes.count else { return target }
    let second = whole + 1 < bytes.count ? bytes[whole + 1] : 0
    let group = UInt32(bytes[whole]) << 16 | UInt32(second) << 8
    text[target] = digits[Int(group >> 18)]
    text[target + 1] = digits[Int(group >> 12 & 63)]
    text[target + 2] = whole + 1 < bytes.count ? digits[Int(group >> 6 & 63)] : 0x3d
    text[target + 3] = 0x3d
    return target + 4
  }

  /// - Returns: nil for anything but the one canonical text of some bytes.
  public static func decode(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    var isValid = true
    let bytes = [UInt8](unsafeUninitializedCapacity: text.count / 4 * 3) { bytes, filled in
      let count = read(text, into: bytes)
      isValid = count != nil
      filled = count ?? 0
    }
    return isValid ? bytes : nil
  }

  /// Decodes straight into memory of the caller.
  /// - Parameter bytes: at least three for every four of `text`.
  /// - Returns: the number of bytes written, or nil for anything but the one canonical text of some bytes; then rubbish was written.
  public static func read(_ text: UnsafeBufferPointer<UInt8>, into bytes: UnsafeMutableBufferPointer<UInt8>) -> Int? {
    guard text.count % 4 == 0 else { return nil }
    guard let last = text.last else { return 0 }
    precondition(bytes.count >= text.count / 4 * 3)  // our own bug, never a stranger's bytes
    let padding = last != 0x3d ? 0 : text[text.count - 2] != 0x3d ? 1 : 2
    return read(text, padding: padding, into: bytes) ? text.count / 4 * 3 - padding : nil
  }

  /// - Returns: nil for anything but the one canonical text of some bytes.
  public static func decode(_ text: [UInt8]) -> [UInt8]? { text.withUnsafeBufferPointer { decode($0) } }

  /// - Returns: nil for anything but the one canonical text of some bytes.
  public static func decode(_ text: String) -> [UInt8]? { decode(Array(text.utf8)) }

  private static func read(
    _ text: UnsafeBufferPointer<UInt8>, padding: Int, into bytes: UnsafeMutableBufferPointer<UInt8>
  ) -> Bool {
    values.withUnsafeBufferPointer { values in
      let whole = padding == 0 ? text.count : text.count - 4
      var source = 0
      var target = 0
      var seen: UInt8 = 0  // a byte outside the alphabet sets the top bits
      while source < whole {
        let (p, q) = (values[Int(text[source])], values[Int(text[source + 1])])
        let (r, s) = (values[Int(text[source + 2])], values[Int(text[source + 3])])
        seen |= p | q | r | s
        bytes[target] = p << 2 | q >> 4
        bytes[target + 1] = q << 4 | r >> 2
        bytes[target + 2] = r << 6 | s & 63
        source += 4
        target += 3
      }
      guard seen < 64 else { return false }
      guard padding > 0 else { return true }
      let (p, q) = (values[Int(text[source])], values[Int(text[source + 1])])
      let r = padding == 1 ? values[Int(text[source + 2])] : 0
      guard p | q | r < 64 else { return false }
      bytes[target] = p << 2 | q >> 4
      if padding == 1 { bytes[target + 1] = q << 4 | r >> 2 }
      return padding == 1 ? r & 3 == 0 : q & 15 == 0
    }
  }
}
