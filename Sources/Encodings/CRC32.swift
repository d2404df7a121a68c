/// The check of PNG's chunks and of ZIP's files (ISO 3309).
package enum CRC32 {
  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { code, _ in code & 1 == 1 ? 0xedb8_8320 ^ code >> 1 : code >> 1 }
  }

  /// The check of all the bytes.
  package static func code(of bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(0xffff_ffff) { code, byte in table[Int((code ^ UInt32(byte)) & 255)] ^ code >> 8 }
  }
}
