import Ciphers
package import Curve
import Encodings
import JSON
package import Vault

/// Remembers that a share kept here was removed, so that neither old envelopes, which relays keep, nor an older backup bring it
/// back.
///
/// Record kind guardian, id: `t` · owner · identity · kit; kind revocation, id: a hash of the same, for the list beside the backups.
package enum RemovedShares {
  private static let mark = UInt8(ascii: "t")

  /// The id of the record for one owner's kit.
  package static func id(_ owner: PublicKey, _ identity: PublicKey, _ kit: String) -> [UInt8] {
    [mark] + owner.bytes.array + identity.bytes.array + Array(kit.utf8)
  }

  /// Whether a record of kind guardian is one of these.
  package static func contains(_ id: [UInt8]) -> Bool { id.first == mark }

  /// The record that remembers a removal.
  /// - Parameter time: of the removal, seconds since 1970. The share's envelope may have been dated ahead.
  package static func record(of note: EntrustedShare, at time: Int64) -> RecordChange {
    .put(.guardian, id(note.other, note.identity, note.kit), RecordedTime.value(max(time, note.sent)))
  }

  /// The entry for a removal in the list beside the backups: 32 bytes.
  package static func hash(of note: EntrustedShare) -> [UInt8] {
    var hash = SHA256()
    hash.update(Array("holdfast removed share".utf8))
    hash.update(id(note.other, note.identity, note.kit))
    return hash.finish().array
  }
}

/// The time up to which requests for shares are not taken: setting `guardian.deaf`.
package enum UntakenRequests {
  /// The id of the setting.
  package static let setting = Array("guardian.deaf".utf8)

  /// - Parameter time: seconds since 1970.
  package static func change(until time: Int64) -> RecordChange { .put(.setting, setting, RecordedTime.value(time)) }
}

/// A time as the value of a record: JSON with the member `at`, in seconds since 1970.
package enum RecordedTime {
  package static func value(_ time: Int64) -> [UInt8] { JSONValue.object([.init("at", .integer(time))]).serialized() }

  /// - Returns: the latest possible time for bytes that are no such value.
  package static func seconds(_ value: [UInt8]) -> Int64 { (try? JSONValue(parsing: value))?["at"]?.integer ?? .max }
}
