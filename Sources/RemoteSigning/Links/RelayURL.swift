/// The address of a relay as a link carries it: `ws://` or `wss://`, a host, perhaps a port and a path.
///
/// Kept as written, but for the scheme and host, which are lower case. Checked enough to be printed and passed on; whether a
/// socket can be opened to it is found out where one is.
public struct RelayURL: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The longest address taken, in bytes.
  public static let maximumLength = 512

  /// The whole address.
  public let text: String

  /// - Parameter text: from a stranger, perhaps.
  /// - Returns: nil when it is too long, not ws or wss, has no host, names a user, or holds a byte outside visible ASCII.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count <= Self.maximumLength, bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != 0x22 && $0 != 0x5c }) else {
      return nil
    }
    guard let schemeLength = Self.schemeLength(bytes) else { return nil }
    let hostEnd = bytes[schemeLength...].firstIndex { $0 == 0x2f || $0 == 0x3f || $0 == 0x23 } ?? bytes.count
    let host = bytes[schemeLength..<hostEnd]
    guard let first = host.first, first != 0x3a, !host.contains(0x40) else { return nil }
    self.text = String(decoding: bytes[..<hostEnd].map(Self.lowered) + bytes[hostEnd...], as: UTF8.self)
  }

  /// The address itself.
  public var description: String { text }

  /// Whether the connection is encrypted.
  public var isSecure: Bool { text.hasPrefix("wss:") }

  /// By bytes, the order `switch_relays` answers in.
  public static func < (left: RelayURL, right: RelayURL) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }

  private static func schemeLength(_ bytes: [UInt8]) -> Int? {
    for scheme in ["wss://", "ws://"] where bytes.count > scheme.utf8.count {
      if zip(bytes, scheme.utf8).allSatisfy({ lowered($0) == $1 }) { return scheme.utf8.count }
    }
    return nil
  }

  private static func lowered(_ byte: UInt8) -> UInt8 { (0x41...0x5a).contains(byte) ? byte | 0x20 : byte }
}
