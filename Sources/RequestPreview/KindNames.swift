internal import Nostr

/// What a kind of event is called.
struct KindName {
  /// For a table: "note".
  let name: String
  /// What signing one does: "Sign a note".
  let title: String
  /// More than one of them: "notes".
  let many: String

  /// The name of a kind; an unknown one is called by its number.
  init(_ kind: Int) {
    let entry = KindTable.entry(for: kind)
    (name, title, many) = (entry.name, entry.title, entry.many)
  }

  static func isKnown(_ kind: Int) -> Bool { KindTable.isKnown(kind) }
}
