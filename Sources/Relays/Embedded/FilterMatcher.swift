import Curve
import Encodings
import Nostr

/// A filter whose lists are stored as sets, so that checking an event takes the same time however long they are. Anybody may
/// subscribe with thousands of values.
struct FilterMatcher: Sendable {
  private struct Tag: Sendable {
    let name: TagText
    let values: Set<TagText>
    /// The length of the longest value in bytes; a longer tag value cannot match.
    let longest: Int
  }

  let filter: Filter
  private let since, until: Int64
  private let ids: Set<Bytes32>?
  private let authors: Set<PublicKey>?
  private let kinds: Set<Int>?
  private let tags: [Tag]

  init(_ filter: Filter) {
    self.filter = filter
    (since, until) = (filter.since ?? .min, filter.until ?? .max)
    (ids, authors, kinds) = (filter.ids.map { Set($0) }, filter.authors.map { Set($0) }, filter.kinds.map { Set($0) })
    tags = filter.tags.map { name, values in
      let longest = values.reduce(0) { max($0, $1.utf8.count) }
      return Tag(name: TagText(String(name)), values: Set(values.map { TagText($0) }), longest: longest)
    }
  }

  /// Whether the event meets every condition but `limit`; the same as `Filter.matches`.
  func matches(_ event: Event) -> Bool {
    guard since <= event.createdAt, event.createdAt <= until, kinds?.contains(event.kind) ?? true,
      ids?.contains(event.id) ?? true, authors?.contains(event.pubkey) ?? true
    else { return false }
    return tags.allSatisfy { tag in
      event.tags.contains { item in
        item.count > 1 && item[1].utf8.count <= tag.longest && TagText(item[0]) == tag.name
          && tag.values.contains(TagText(item[1]))
      }
    }
  }
}

/// A text that is compared by its bytes. `String` treats texts with different bytes as equal if they are canonically equivalent.
private struct TagText: Hashable, Sendable {
  private let text: String

  init(_ text: String) { self.text = text }

  static func == (one: Self, other: Self) -> Bool {
    one.text.utf8.count == other.text.utf8.count && one.text.utf8.elementsEqual(other.text.utf8)
  }

  func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
