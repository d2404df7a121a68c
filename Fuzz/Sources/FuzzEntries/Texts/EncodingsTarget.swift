import Encodings

extension FuzzTarget {
  /// Base64 and hex: every byte string has one text, and only that text is read back.
  static let encodings = FuzzTarget("encodings") { (raw) throws(FuzzFault) in
    let bytes = Array(raw)
    let base64 = Base64.encode(raw)
    try require(base64.count == Base64.encodedLength(bytes.count), "base64 has the length it says")
    try require(Base64.decode(base64) == bytes, "base64 of any bytes reads back")
    if let decoded = Base64.decode(bytes) {
      try require(Base64.encode(decoded) == bytes, "one base64 text for one run of bytes")
    }
    try require(Base64URL.decode(Base64URL.string(bytes)) == bytes, "base64url of any bytes reads back")
    if let decoded = Base64URL.decode(bytes) {
      try require(Array(Base64URL.string(decoded).utf8) == bytes, "one base64url text for one run of bytes")
    }
    let hex = Hex.encode(raw)
    try require(Hex.decode(hex) == bytes, "hex of any bytes reads back")
    if let decoded = Hex.decode(bytes) {
      try require(Array(Hex.encode(decoded).utf8) == bytes.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }, "hex reads either case")
    }
    if let value = Bytes32(hex: bytes) { try require(value.array == Hex.decode(bytes), "32 bytes by their hex") }
    try require((Bytes32(bytes) != nil) == (bytes.count == 32), "32 bytes are 32 bytes")
    try readInPlace(raw, bytes)
  }

  private static func readInPlace(_ raw: UnsafeRawBufferPointer, _ bytes: [UInt8]) throws(FuzzFault) {
    // Exactly as much room as a caller must give.
    var target = [UInt8](repeating: 0, count: bytes.count / 4 * 3 + 3)
    let count = target.withUnsafeMutableBufferPointer { target in
      raw.withMemoryRebound(to: UInt8.self) { Base64.read($0, into: target) }
    }
    try require(count.map { Array(target[..<$0]) } == Base64.decode(bytes), "base64 into memory of the caller is the same")
  }
}
