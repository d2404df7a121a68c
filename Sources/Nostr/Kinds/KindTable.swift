/// What each kind of event does. Rules, batches, buttons and words all use this table.
///
/// It has every kind of the standards' own list (the table in the README of the NIPs), the lists of NIP-51, and kinds that other
/// standards define. Any other kind is `unknown`.
public enum KindTable {
  /// All lines, by rising kind.
  public static let entries: [KindEntry] = (posts + works + lists + profiles + guarded).sorted {
    $0.kinds.lowerBound < $1.kinds.lowerBound
  }

  /// The line of a kind.
  public static func entry(for kind: Int) -> KindEntry {
    single[kind] ?? ranges.first { $0.kinds.contains(kind) } ?? KindEntry(unknown: kind)
  }

  /// What signing an event of a kind does.
  public static func effect(of kind: Int) -> KindEffect { weights[kind]?.effect ?? ranged(kind)?.effect ?? .unknown }

  /// How careful the rules are with a kind.
  public static func care(for kind: Int) -> KindCare { weights[kind]?.care ?? ranged(kind)?.care ?? .guarded }

  /// Whether the table has it.
  public static func isKnown(_ kind: Int) -> Bool { weights[kind] != nil || ranged(kind) != nil }

  /// The lines of one effect and care, by rising kind.
  public static func entries(_ effect: KindEffect, _ care: KindCare? = nil) -> [KindEntry] {
    entries.filter { $0.effect == effect && (care == nil || $0.care == care) }
  }

  private static let single: [Int: KindEntry] = entries.reduce(into: [:]) { found, entry in
    if entry.kinds.count == 1 { found[entry.kinds.lowerBound] = entry }
  }
  private static let ranges: [KindEntry] = entries.filter { $0.kinds.count > 1 }
  // Kept apart from the words, because the rules read it for every request.
  private static let weights: [Int: (effect: KindEffect, care: KindCare)] = single.mapValues { ($0.effect, $0.care) }

  private static func ranged(_ kind: Int) -> KindEntry? { ranges.first { $0.kinds.contains(kind) } }
}
