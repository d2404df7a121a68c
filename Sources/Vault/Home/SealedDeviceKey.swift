import Ciphers
import Encodings

// A sealed `device.key`, for docs/FORMATS.md: "HFSEAL" · version 1 (1) · what the chip gave (1 to 900) · SHA-256 of all before (32).
// The sum is against accidents, so that damage is not taken for another chip; whoever changes the file can make it anew.

/// The frame of a device secret that a chip sealed.
public enum SealedDeviceKey {
  /// The most that a chip may give, in bytes.
  public static let maximumContents = 900
  /// The longest file.
  static let maximumLength = magic.count + maximumContents + sum
  private static let magic: [UInt8] = Array("HFSEAL\u{1}".utf8)
  private static let sum = 32

  /// - Returns: nil when it is too long.
  static func framed(_ contents: [UInt8]) -> [UInt8]? {
    guard (1...maximumContents).contains(contents.count) else { return nil }
    let bytes = magic + contents
    return bytes + digest(bytes[...])
  }

  /// Whether a file says that it is one, of this version or another. A plain one is 32 bytes.
  static func isOne(_ file: [UInt8]) -> Bool { file.count != DeviceSecret.length && file.starts(with: magic.dropLast()) }

  /// What the chip gave.
  /// - Parameter file: any bytes that begin as a sealed file.
  public static func contents(of file: [UInt8]) throws(DeviceSealError) -> [UInt8] {
    guard file.count > magic.count + sum, file.count <= maximumLength else { throw .damaged }
    guard digest(file.dropLast(sum)) == Array(file.suffix(sum)) else { throw .damaged }
    guard file.starts(with: magic.dropLast()) else { throw .damaged }
    guard file.starts(with: magic) else { throw .newerVersion }
    return Array(file[magic.count..<file.count - sum])
  }

  private static func digest(_ bytes: ArraySlice<UInt8>) -> [UInt8] { SHA256.digest(of: Array(bytes)).array }
}
