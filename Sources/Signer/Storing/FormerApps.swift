package import Curve
import JSON

/// The names that the owner gave to former apps, so that the log still shows them.
package struct FormerApps: Sendable, Equatable {
  /// The most names. A further one replaces the oldest.
  static let mostKept = 256

  private struct Kept: Equatable { let key: PublicKey, name: String }
  private var kept: [Kept] = []

  /// No former apps.
  init() {}

  /// Reads what `record` wrote. Unreadable entries are left out: a name must not stop a vault from opening.
  init(record: [UInt8]) {
    for member in (try? JSONValue(parsing: record))?.members ?? [] {
      guard let key = PublicKey(hex: member.key), let name = member.value.string else { continue }
      keep(name, of: key)
    }
  }

  /// JSON in UTF-8: names by key, oldest first.
  var record: [UInt8] { JSONValue.object(kept.map { .init($0.key.hex, .string($0.name)) }).serialized() }

  package mutating func keep(_ name: String, of key: PublicKey) {
    kept.removeAll { $0.key == key }
    if kept.count >= Self.mostKept { kept.removeFirst() }
    kept.append(Kept(key: key, name: name))
  }

  /// All names, by key.
  var names: [PublicKey: String] { Dictionary(kept.map { ($0.key, $0.name) }, uniquingKeysWith: { $1 }) }
}
