import JSON

/// How large an event from a stranger may be.
public struct EventLimits: Sendable {
  /// The whole JSON text in bytes. Escapes may make it six times the content.
  public var bytes: Int
  /// The content in bytes of UTF-8.
  public var content: Int
  /// The number of tags.
  public var tags: Int
  /// The number of items in all tags together.
  public var tagItems: Int
  /// Nesting of the values under keys that NIP-01 does not know; an event itself needs 3.
  public var depth: Int
  /// Filters in one request.
  public var filters: Int
  /// Values in all lists of one filter together.
  public var filterValues: Int

  /// 8 MiB of text, 4 MiB of content, 10,000 tags, 100,000 items.
  public static let standard = EventLimits()

  /// For requests and replies between client and signer: 4 MiB of text, 16 tags. A mebibyte that a client wants encrypted is
  /// padded and coded twice on its way, and makes an event of 2 MiB and more.
  public static let remoteSigning = EventLimits(bytes: 4 << 20, content: 4 << 20, tags: 16, tagItems: 64)

  /// Limits other than the standard ones.
  public init(
    bytes: Int = 8 << 20, content: Int = 4 << 20, tags: Int = 10_000, tagItems: Int = 100_000, depth: Int = 16,
    filters: Int = 16, filterValues: Int = 2_000
  ) {
    (self.bytes, self.content, self.tags, self.tagItems, self.depth) = (bytes, content, tags, tagItems, depth)
    (self.filters, self.filterValues) = (filters, filterValues)
  }

  var json: JSONLimits { JSONLimits(bytes: bytes, depth: depth) }
}
