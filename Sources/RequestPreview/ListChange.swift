internal import Curve
internal import JSON
internal import Nostr

/// The difference between a new list and the one signed before it.
struct ListChange {
  /// One member of a list: a person, a relay, or any other text.
  enum Entry: Hashable {
    case person(PublicKey)
    case other(String)
  }

  let added: [Entry]
  let removed: [Entry]
  let kept: Int
  /// False when no earlier list is known here. Every entry then counts as added.
  let hasBaseline: Bool

  /// - Parameter before: nil when no earlier list is known.
  init(from before: [Entry]?, to after: [Entry]) {
    let (old, new) = (Set(before ?? []), Set(after))
    added = Self.unique(after, without: old)
    removed = Self.unique(before ?? [], without: new)
    kept = new.intersection(old).count
    hasBaseline = before != nil
  }

  private static func unique(_ entries: [Entry], without left: Set<Entry>) -> [Entry] {
    var seen = left
    return entries.filter { seen.insert($0).inserted }
  }

  /// The entries in a list's tags of these names.
  static func entries(_ tags: [[String]], named names: [String]) -> [Entry] {
    tags.compactMap { tag in
      guard let name = tag.first, names.contains(name), tag.count > 1 else { return nil }
      if name == "p", let key = PublicKey(hex: tag[1]), key.hex == tag[1] { return .person(key) }
      let use = name == "r" && tag.count > 2 ? " (\(tag[2]))" : ""
      return .other(tag[1] + use)
    }
  }

  var members: [JSONValue.Member] {
    [
      .init("added", Self.shown(added)), .init("removed", Self.shown(removed)),
      .init("added_count", .integer(Int64(added.count))), .init("removed_count", .integer(Int64(removed.count))),
      .init("kept", .integer(Int64(kept))), .init("baseline", .bool(hasBaseline)),
    ]
  }

  private static func shown(_ entries: [Entry]) -> JSONValue {
    .array(
      entries.prefix(DescriptionPage.mostEntries).map { entry in
        switch entry {
        case .person(let key): .object([.init("text", .string(key.npub))] + DescriptionPage.members(of: key))
        case .other(let text): .object([.init("text", .string(DescriptionPage.line(text)))])
        }
      })
  }
}
