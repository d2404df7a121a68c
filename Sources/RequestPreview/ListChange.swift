package import Curve
import Nostr

/// What a new list changes of the one signed before it.
package struct ListChange: Sendable, Equatable {
  /// One member of a list: a person, a relay, or any other text.
  package enum Entry: Sendable, Hashable {
    case person(PublicKey)
    case other(String)
  }

  package let added: [Entry]
  package let removed: [Entry]
  package let kept: Int
  /// False when no earlier list is known here; everything counts as added then.
  package let hasBaseline: Bool

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

  /// The first of what is added, as it is shown.
  package var shownAdded: [Entry] { Self.shown(added) }

  /// The first of what is removed, as it is shown.
  package var shownRemoved: [Entry] { Self.shown(removed) }

  private static func shown(_ entries: [Entry]) -> [Entry] {
    entries.prefix(DescriptionPage.mostEntries).map { entry in
      switch entry {
      case .person: entry
      case .other(let text): .other(DescriptionPage.line(text))
      }
    }
  }
}

extension ListChange.Entry {
  /// The text of what is no person.
  var text: String? { if case .other(let text) = self { text } else { nil } }
}
