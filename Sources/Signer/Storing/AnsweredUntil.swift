import AuditLog
import Curve
import Encodings
import Nostr
import RemoteSigning
import Vault

// The setting `answered until`, for docs/FORMATS.md: log (32) · its entries (8) · time (8) · for each app that dated ahead of that time: its
// remote-signer key (32) · the latest time of its requests (8). Times in seconds since 1970.

/// The times up to which requests may have been answered before a start. A signer that starts locked cannot read the log and uses
/// no key for those requests. Requests with a later date are new, so that apps are served at once.
struct AnsweredUntil: Equatable, Sendable {
  /// For every app.
  var time: Int64
  /// For apps whose clocks are ahead.
  var apps: [PublicKey: Int64] = [:]

  /// No time is in doubt.
  static let nothing = AnsweredUntil(time: .min)

  static let setting = Array("answered until".utf8)

  func covers(_ createdAt: Int64, of remoteSigner: PublicKey?) -> Bool {
    createdAt <= max(time, remoteSigner.flatMap { apps[$0] } ?? .min)
  }

  /// The later of both times, with the apps that are ahead of it.
  func joined(with other: AnsweredUntil) -> AnsweredUntil {
    let time = max(time, other.time)
    return AnsweredUntil(time: time, apps: apps.merging(other.apps, uniquingKeysWith: max).filter { $0.value > time })
  }

  /// The longest time, in seconds, for which a clock that was ahead can block apps in locked starts. A wrong clock may be years
  /// ahead.
  static let mostAhead: Int64 = 86_400

  func bounded(by most: Int64) -> AnsweredUntil { AnsweredUntil(time: min(time, most), apps: apps.mapValues { min($0, most) }) }

  /// What the last clean stop stored; nil also when it cannot be read.
  /// - Parameter extent: the log's current end. At the clean stop it was the same; further entries would come from a signer that
  ///   was killed.
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

  /// Removes it.
  static let removal = RecordChange.delete(kind: .setting, id: setting)
}
