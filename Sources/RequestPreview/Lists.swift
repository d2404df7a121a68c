import JSON
import Nostr
import RemoteSigning

/// Lists that replace the previous one: followed people, relays, muted people and words.
extension EventDescription {
  mutating func follows() {
    change("People you follow", ["p"])
    page.text("Content", template.content)
    if let followsHeading { retitle(followsHeading) }
  }

  /// What is to be said of a follow list beyond that it is one, whatever the order of its entries.
  var followsHeading: RequestHeading? {
    guard before?.content == template.content else { return nil }
    return repeatsTags ? .sameFollows : keepsTags ? .addedFollows : nil
  }

  mutating func relays() {
    change("Relays", ["r", "relay", "server"])
    page.text("Content", template.content)
  }

  mutating func list() {
    page.fact("List", value("title") ?? value("d") ?? "")
    change("Entries", ["p", "e", "a", "t", "r", "word", "group"])
    let count = template.content.utf8.count
    if count > 0 { page.fact("Private entries", "\(count) byte\(count == 1 ? "" : "s"), encrypted") }
  }

  private mutating func change(_ label: String, _ names: [String]) {
    for name in names { _ = tags(name) }
    let earlier = before.map { ListChange.entries($0.tags, named: names) }
    let change = ListChange(from: earlier, to: ListChange.entries(template.tags, named: names))
    // What is encrypted is not empty, and nobody but the apps can count it.
    let isHidden = !change.hasBaseline && change.added.isEmpty && !template.content.isEmpty
    if isHidden { page.fact(label, "only encrypted ones, which Holdfast does not read") } else { page.list(label, change) }
    tellSource(template.kind == EventKind.follows ? "follow list" : "list", isKnown: change.hasBaseline)
    let (lost, all) = (change.removed.count, change.removed.count + change.kept)
    if isHidden { return }
    if !change.hasBaseline && change.added.isEmpty {
      page.warning("This list is empty. If you have one now, all of it would be gone.")
    } else if lost > 0 && change.kept == 0 {
      page.warning("Nothing of the present list is left.")
    } else if lost > all / 2 {
      page.warning("This takes most of the list away: \(lost) of \(all) would be gone. Only you can bring them back, one by one.")
    } else if lost >= Self.manyLost || lost >= Self.someLost && lost * 10 >= all {
      page.warning("\(lost) of \(all) would be gone. Only you can bring them back, one by one.")
    }
  }

  /// As many entries that go at once are worth a warning, however long the list is.
  private static let manyLost = 10
  /// So are these, where they are a tenth of the list. Taking out one or two is everyday use.
  private static let someLost = 3
}
