public import Curve
public import Encodings
public import JSON

/// The filter of a subscription (NIP-01). An event matches if it meets every condition that is set.
public struct Filter: Sendable, Equatable {
  /// Event ids. Nil: any; empty: none.
  public var ids: [Bytes32]?
  /// Authors. Nil: any; empty: none.
  public var authors: [PublicKey]?
  /// Kinds, 0 to 65535. Nil: any; empty: none.
  public var kinds: [Int]?
  /// The earliest `created_at`, in seconds.
  public var since: Int64?
  /// The latest `created_at`, in seconds.
  public var until: Int64?
  /// How many stored events to send at most, the newest first. Says nothing about events to come.
  public var limit: Int?
  /// Values of tags, by their name of one ASCII letter. The event must have one of the values.
  public var tags: [Character: [String]]

  /// A filter of its conditions.
  public init(
    ids: [Bytes32]? = nil, authors: [PublicKey]? = nil, kinds: [Int]? = nil, since: Int64? = nil, until: Int64? = nil,
    limit: Int? = nil, tags: [Character: [String]] = [:]
  ) {
    (self.ids, self.authors, self.kinds, self.since, self.until) = (ids, authors, kinds, since, until)
    (self.limit, self.tags) = (limit, tags)
  }

  /// Whether the event meets every condition but `limit`.
  public func matches(_ event: Event) -> Bool {
    if let kinds, !kinds.contains(event.kind) { return false }
    if let since, event.createdAt < since { return false }
    if let until, event.createdAt > until { return false }
    if let ids, !ids.contains(event.id) { return false }
    if let authors, !authors.contains(event.pubkey) { return false }
    return tags.allSatisfy { name, values in
      let name = String(name)
      return event.tags.contains { tag in
        tag.count > 1 && isSame(tag[0], name) && values.contains { isSame($0, tag[1]) }
      }
    }
  }

  /// Appends the filter to the writer as a JSON object.
  public func write(to writer: inout JSONWriter) {
    writer.beginObject()
    if let ids { writer.list("ids", ids) { id, writer in id.withUnsafeBytes { writer.hex($0) } } }
    if let authors { writer.list("authors", authors) { key, writer in key.bytes.withUnsafeBytes { writer.hex($0) } } }
    if let kinds { writer.list("kinds", kinds) { $1.integer($0) } }
    if let since { writer.member("since", since) }
    if let until { writer.member("until", until) }
    if let limit { writer.member("limit", Int64(limit)) }
    for (name, values) in tags.sorted(by: { $0.key < $1.key }) { writer.list("#\(name)", values) { $1.string($0) } }
    writer.endObject()
  }

  /// The filter as a JSON object.
  public func json() -> [UInt8] {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.bytes
  }
}

extension JSONWriter {
  fileprivate mutating func list<Element>(
    _ name: String, _ elements: [Element], _ write: (Element, inout JSONWriter) -> Void
  ) {
    key(name)
    beginArray()
    for element in elements { write(element, &self) }
    endArray()
  }

  fileprivate mutating func member(_ name: StaticString, _ value: Int64) {
    key(name)
    integer(value)
  }
}
