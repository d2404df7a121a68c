import CQREncode
import Platform

/// Why a text has no QR code.
public enum QRCodeError: Error, Equatable {
  /// More bytes than the largest code holds: 2,331 at this level of correction.
  case textTooLong
  case outOfMemory
}

/// A QR code: a square of dark and light modules, error correction level M (15 %).
///
/// The modules reveal the whole text, so they are wiped with the last copy of the code. libqrencode frees its working memory
/// without wiping it.
public struct QRCode: Sendable {
  /// Modules on a side, without the quiet zone.
  public let size: Int
  private let modules: QRModules

  /// - Parameter text: encoded as its UTF-8 bytes.
  public init(_ text: String) throws(QRCodeError) {
    let bytes = Array(text.utf8)
    modules = try QRModules(encoding: bytes.count, bytes)
    size = modules.size
  }

  /// - Parameter bytes: the bytes that a reader gets, for example the UTF-8 of a secret that must not become a `String`.
  public init(bytes: UnsafeRawBufferPointer) throws(QRCodeError) {
    modules = try QRModules(encoding: bytes.count, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
    size = modules.size
  }

  /// Whether the module is dark. Outside of the code everything is light.
  public func isDark(row: Int, column: Int) -> Bool {
    (0..<size).contains(row) && (0..<size).contains(column) && modules.isDark(row * size + column)
  }
}

/// libqrencode's own memory, size × size bytes of which the lowest bit is the colour.
private final class QRModules: @unchecked Sendable {  // Sendable: one owner, never written after `init`
  let size: Int
  private let code: UnsafeMutablePointer<CQREncode.QRcode>

  init(encoding count: Int, _ bytes: UnsafePointer<UInt8>?) throws(QRCodeError) {
    guard let code = QRcode_encodeData(Int32(clamping: count), bytes, 0, QR_ECLEVEL_M) else {
      throw errno == ENOMEM ? .outOfMemory : .textTooLong
    }
    self.code = code
    size = Int(code.pointee.width)
  }

  deinit {
    explicit_bzero(code.pointee.data, size * size)
    QRcode_free(code)
  }

  /// - Parameter index: below size × size, as the caller made sure.
  func isDark(_ index: Int) -> Bool { code.pointee.data[index] & 1 == 1 }
}
