import Nostr

/// The names of an event kind.
struct KindName {
  /// For a table: "note".
  let name: String
  /// What signing an event of this kind does: "Sign a note".
  let title: String
  /// The plural: "notes".
  let many: String

  /// The name of a kind. An unknown kind is named by its number.
  init(_ kind: Int) {
    let entry = KindTable.entry(for: kind)
    (name, title, many) = (entry.name, entry.title, entry.many)
  }

  static func isKnown(_ kind: Int) -> Bool { KindTable.isKnown(kind) }
}
