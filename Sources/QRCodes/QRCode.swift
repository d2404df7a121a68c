internal import CQREncode
internal import Glibc

/// Why a text has no QR code.
public enum QRCodeError: Error, Equatable {
  /// More bytes than the largest code holds: 2,331 at this level of correction.
  case textTooLong
  case outOfMemory
}

/// A QR code: a square of dark and light modules, error correction level M (15 %).
public struct QRCode: Sendable {
  /// Modules on a side, without the quiet zone.
  public let size: Int
  private let dark: [Bool]

  /// - Parameter text: encoded as its UTF-8 bytes.
  public init(_ text: String) throws(QRCodeError) {
    let bytes = Array(text.utf8)
    guard let code = QRcode_encodeData(Int32(clamping: bytes.count), bytes, 0, QR_ECLEVEL_M) else {
      throw errno == ENOMEM ? .outOfMemory : .textTooLong
    }
    defer { QRcode_free(code) }
    size = Int(code.pointee.width)
    // The library's own memory, size × size bytes; the lowest bit is the colour.
    dark = UnsafeBufferPointer(start: code.pointee.data, count: size * size).map { $0 & 1 == 1 }
  }

  /// Whether the module is dark. Outside of the code everything is light.
  public func isDark(row: Int, column: Int) -> Bool {
    (0..<size).contains(row) && (0..<size).contains(column) && dark[row * size + column]
  }
}
