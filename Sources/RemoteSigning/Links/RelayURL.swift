import Encodings

/// The address of a relay as a link carries it: `ws://` or `wss://`, a host, perhaps a port and a path.
///
/// Kept as written, but for the scheme and host, which are lower case; compared as `RelayAddress` writes it. Checked enough to be
/// printed and passed on; whether a socket can be opened to it is found out where one is.
public struct RelayURL: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The longest address taken, in bytes.
  public static let maximumLength = 512

  /// The whole address.
  public let text: String
  private let normal: String

  /// - Parameter text: from a stranger, perhaps.
  /// - Returns: nil when it is too long, not ws or wss, has no host, names a user, has a fragment, or holds a byte
  ///   outside visible ASCII.
  public init?(_ text: String) {
    guard text.utf8.count <= Self.maximumLength, let normal = RelayAddress.normal(text) else { return nil }
    let bytes = Array(text.utf8)
    let place = bytes.drop { $0 != 0x2f }.dropFirst(2)  // behind the scheme
    let hostEnd = place.firstIndex { $0 == 0x2f || $0 == 0x3f } ?? bytes.endIndex
    self.text = String(decoding: bytes[..<hostEnd].map(Self.lowered) + bytes[hostEnd...], as: UTF8.self)
    self.normal = normal
  }

  /// The address itself.
  public var description: String { text }

  /// Whether the connection is encrypted.
  public var isSecure: Bool { text.hasPrefix("wss:") }

  /// Whether both are addresses of one relay.
  public static func == (left: RelayURL, right: RelayURL) -> Bool { left.normal == right.normal }

  /// As `==` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(normal) }

  /// By bytes.
  public static func < (left: RelayURL, right: RelayURL) -> Bool {
    left.normal.utf8.lexicographicallyPrecedes(right.normal.utf8)
  }

  private static func lowered(_ byte: UInt8) -> UInt8 { (0x41...0x5a).contains(byte) ? byte | 0x20 : byte }
}
