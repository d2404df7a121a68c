import Encodings

/// The gzip format (RFC 1952) without compression: blocks that are stored as they are (RFC 1951, section 3.2.4). Every gunzip reads it.
enum StoredGzip {
  /// The most bytes of a stored block.
  static let longestBlock = 0xFFFF
  /// Magic, method deflate, no flags, no time, unknown system.
  private static let head: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]

  /// As NIP-55 has it: `Signer1` and base64.
  static func signerText(_ bytes: [UInt8]) -> String { "Signer1" + Base64.string(file(bytes)) }

  static func file(_ bytes: [UInt8]) -> [UInt8] {
    var file = head
    var rest = bytes[...]
    repeat {
      let block = rest.prefix(longestBlock)
      rest = rest.dropFirst(longestBlock)
      let length = UInt16(block.count)
      file += [rest.isEmpty ? 1 : 0] + little(length) + little(~length) + block
    } while !rest.isEmpty
    return file + little(checksum(bytes)) + little(UInt32(truncatingIfNeeded: bytes.count))
  }

  /// CRC-32 (RFC 1952, section 8).
  static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum >> 1 ^ (sum & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
  }

  private static func little(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }
}
