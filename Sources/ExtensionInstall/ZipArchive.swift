import Encodings

/// Files in one, as ZIP has it (PKWARE's APPNOTE, 4.3), not compressed: what Firefox calls an .xpi.
package struct ZipArchive {
  private var content: [UInt8] = []
  private var directory: [UInt8] = []
  private var count: UInt16 = 0

  /// 1980-01-01, ZIP's first day, so that equal files make equal archives.
  private static let (time, day): (UInt16, UInt16) = (0, 33)
  private static let version: UInt16 = 20
  /// Names are UTF-8.
  private static let flags: UInt16 = 1 << 11

  package init() {}

  /// Appends a file.
  /// - Parameter path: at most 65,535 bytes, with slashes.
  package mutating func add(_ path: String, _ bytes: [UInt8]) {
    let offset = UInt32(content.count)
    let about =
      Self.little(Self.flags) + Self.little(UInt16(0)) + Self.little(Self.time) + Self.little(Self.day)
      + Self.little(CRC32.code(of: bytes)) + Self.little(UInt32(bytes.count)) + Self.little(UInt32(bytes.count))
      + Self.little(UInt16(path.utf8.count)) + Self.little(UInt16(0))
    content += Array("PK\u{3}\u{4}".utf8) + Self.little(Self.version) + about + Array(path.utf8) + bytes
    directory += Array("PK\u{1}\u{2}".utf8) + Self.little(Self.version) + Self.little(Self.version) + about
    // No comment, disk 0, no attributes.
    directory += [UInt8](repeating: 0, count: 10) + Self.little(offset) + Array(path.utf8)
    count += 1
  }

  /// The whole archive.
  package var bytes: [UInt8] {
    let end =
      Array("PK\u{5}\u{6}".utf8) + Self.little(UInt32(0)) + Self.little(count) + Self.little(count)
      + Self.little(UInt32(directory.count)) + Self.little(UInt32(content.count)) + Self.little(UInt16(0))
    return content + directory + end
  }

  private static func little<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    Swift.withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }
}
