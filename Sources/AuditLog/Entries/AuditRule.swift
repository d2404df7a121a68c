/// The name of the rule that decided, in our own words: 0 to 64 bytes of printable ASCII.
public struct AuditRule: Sendable, Hashable, CustomStringConvertible {
  /// The most bytes that are kept.
  public static let maximumLength = 64
  let ascii: [UInt8]

  /// Keeps the first 64 bytes and writes `?` for each byte that is not printable ASCII.
  ///
  /// For text made by this program (the name of a rule, a trust level, a kind), never for a peer's.
  public init(clipping text: String) {
    ascii = text.utf8.prefix(Self.maximumLength).map { Self.isPrintable($0) ? $0 : 0x3f }
  }

  /// - Returns: nil for more than 64 bytes, or a byte that is not printable ASCII.
  init?(stored bytes: ArraySlice<UInt8>) {
    guard bytes.count <= Self.maximumLength, bytes.allSatisfy(Self.isPrintable) else { return nil }
    ascii = Array(bytes)
  }

  /// The text.
  public var description: String { String(decoding: ascii, as: UTF8.self) }

  private static func isPrintable(_ byte: UInt8) -> Bool { (0x20...0x7e).contains(byte) }
}

extension AuditRule: ExpressibleByStringLiteral {
  /// As `init(clipping:)`, for a name in the source.
  public init(stringLiteral text: StaticString) { self.init(clipping: text.description) }
}
