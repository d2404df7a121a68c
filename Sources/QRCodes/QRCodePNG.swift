import Encodings

extension QRCode {
  /// Pixels for each module unless another number is wanted.
  public static let usualScale = 8
  /// The largest scale: with it the largest code has about 6,000 pixels on a side.
  public static let largestScale = 32

  /// The code as a PNG picture of one bit a pixel, black on white, with its quiet zone of four modules.
  ///
  /// Rows are stored, not compressed: the picture is small anyway, and no secret gets into a compressor's memory.
  /// - Parameter scale: pixels for each module, 1 to `largestScale`; a value outside counts as the nearest bound.
  public func png(scale: Int = usualScale) -> [UInt8] {
    let scale = min(max(scale, 1), Self.largestScale)
    let side = (size + 8) * scale
    var header: [UInt8] = []
    header.append(bigEndian32: UInt32(side))
    header.append(bigEndian32: UInt32(side))
    header += [1, 0, 0, 0, 0]  // one bit, grey, and the only methods there are
    var bytes: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    bytes.append(chunk: "IHDR", header)
    bytes.append(chunk: "IDAT", Self.stored(rows(scale, side)))
    bytes.append(chunk: "IEND", [])
    return bytes
  }

  /// Each row with the filter byte 0 in front; a set bit is white.
  private func rows(_ scale: Int, _ side: Int) -> [UInt8] {
    var all: [UInt8] = []
    all.reserveCapacity(side * (1 + (side + 7) / 8))
    for row in -4..<size + 4 {
      var line = [UInt8](repeating: 0, count: 1 + (side + 7) / 8)
      for pixel in 0..<side where !isDark(row: row, column: pixel / scale - 4) { line[1 + pixel / 8] |= 0x80 >> UInt8(pixel % 8) }
      for _ in 0..<scale { all += line }
    }
    return all
  }

  /// A zlib stream (RFC 1950) of stored blocks.
  private static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      a = (a + UInt32(byte)) % 65_521
      b = (b + a) % 65_521
    }
    var rest = bytes[...]
    repeat {
      let block = rest.prefix(65_535)
      rest = rest.dropFirst(block.count)
      let count = UInt16(block.count)
      stream += [rest.isEmpty ? 1 : 0, UInt8(count & 255), UInt8(count >> 8), UInt8(~count & 255), UInt8(~count >> 8)]
      stream += block
    } while !rest.isEmpty
    stream.append(bigEndian32: b << 16 | a)
    return stream
  }
}

extension [UInt8] {
  fileprivate mutating func append(bigEndian32 number: UInt32) {
    Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
  }

  fileprivate mutating func append(chunk name: StaticString, _ content: [UInt8]) {
    let name = Array(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    append(bigEndian32: UInt32(content.count))
    append(contentsOf: name + content)
    append(bigEndian32: CRC32.code(of: name + content))
  }
}
