package import Curve
import JSON

/// The names that the owner gave to former apps, so that the log still shows them, and when the owner revoked them.
package struct FormerApps: Sendable, Equatable {
  /// The most names. A further one replaces the oldest.
  static let mostKept = 256

  private struct Kept: Equatable {
    let key: PublicKey, name: String
    /// Seconds since 1970; nil for an app that the owner never revoked.
    let revokedAt: Int64?
  }
  private var kept: [Kept] = []

  /// No former apps.
  init() {}

  /// Reads what `record` wrote. Unreadable entries are left out: a name must not stop a vault from opening.
  init(record: [UInt8]) {
    for member in (try? JSONValue(parsing: record))?.members ?? [] {
      guard let key = PublicKey(hex: member.key), let name = member.value.string ?? member.value["name"]?.string else { continue }
      keep(name, of: key, revokedAt: member.value["revoked"]?.integer)
    }
  }

  /// JSON in UTF-8: names by key, oldest first. For a revoked app, an object with its name and the time.
  var record: [UInt8] {
    JSONValue.object(
      kept.map { one in
        guard let time = one.revokedAt else { return .init(one.key.hex, .string(one.name)) }
        return .init(one.key.hex, ["name": .string(one.name), "revoked": .integer(time)])
      }
    ).serialized()
  }

  /// - Parameter revokedAt: seconds since 1970; nil if the owner did not revoke it now. An earlier time stays then, so that an app cannot
  ///   make it forgotten by leaving.
  package mutating func keep(_ name: String, of key: PublicKey, revokedAt: Int64? = nil) {
    let earlier = self.revokedAt(key)
    kept.removeAll { $0.key == key }
    if kept.count >= Self.mostKept { kept.removeFirst() }
    kept.append(Kept(key: key, name: name, revokedAt: revokedAt ?? earlier))
  }

  /// When the owner last revoked an app, in seconds since 1970; nil for never.
  func revokedAt(_ key: PublicKey) -> Int64? { kept.last { $0.key == key }?.revokedAt }

  /// All names, by key.
  var names: [PublicKey: String] { Dictionary(kept.map { ($0.key, $0.name) }, uniquingKeysWith: { $1 }) }
}
