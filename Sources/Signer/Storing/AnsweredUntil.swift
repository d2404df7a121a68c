internal import AuditLog
internal import Curve
internal import Encodings
internal import Nostr
internal import RemoteSigning
internal import Vault

// The setting `answered until`, for docs/FORMATS.md: log (32) · its entries (8) · time (8) · for each app that dated ahead of that time: its
// remote-signer key (32) · the latest time of its requests (8). Times in seconds since 1970.

/// Up to which times requests may have been answered before a start. A signer that starts locked cannot read the log and uses no key for
/// them; what is dated later is new, so that apps are served at once.
struct AnsweredUntil: Equatable, Sendable {
  /// For every app.
  var time: Int64
  /// For apps whose clocks are ahead.
  var apps: [PublicKey: Int64] = [:]

  static let setting = Array("answered until".utf8)

  func covers(_ createdAt: Int64, of remoteSigner: PublicKey?) -> Bool {
    createdAt <= max(time, remoteSigner.flatMap { apps[$0] } ?? .min)
  }

  /// The later of both, with the apps that are ahead of it.
  func joined(with other: AnsweredUntil) -> AnsweredUntil {
    let time = max(time, other.time)
    return AnsweredUntil(time: time, apps: apps.merging(other.apps, uniquingKeysWith: max).filter { $0.value > time })
  }

  /// The longest that a clock which was ahead keeps apps out of starts while locked, in seconds: a clock may be years ahead.
  static let mostAhead: Int64 = 86_400

  func bounded(by most: Int64) -> AnsweredUntil { AnsweredUntil(time: min(time, most), apps: apps.mapValues { min($0, most) }) }

  /// What the last proper end stored; nil also for what cannot be read.
  /// - Parameter extent: how far the log goes now. After the end it went as far: further entries were written by a signer that was killed.
  static func stored(in vault: Vault, at extent: AuditLog.Extent) -> AnsweredUntil? {
    guard let value = (try? vault.value(.setting, id: setting)) ?? nil else { return nil }
    var reader = ByteReader(value[...])
    guard reader.bytes32() == extent.log, reader.integer() == extent.count, let time: Int64 = reader.integer() else { return nil }
    var found = AnsweredUntil(time: time)
    while !reader.isAtEnd {
      guard let key = reader.bytes32(), let latest: Int64 = reader.integer() else { return nil }
      found.apps[PublicKey(key)] = latest
    }
    return found
  }

  func change(at extent: AuditLog.Extent) -> RecordChange {
    var value = extent.log.array
    value.append(bigEndian: extent.count)
    value.append(bigEndian: time)
    for (key, latest) in apps {
      value += key.bytes.array
      value.append(bigEndian: latest)
    }
    return .put(.setting, Self.setting, value)
  }

  /// Forgets it.
  static let removal = RecordChange.delete(kind: .setting, id: setting)
}
