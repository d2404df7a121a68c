import Curve
import Encodings
package import RemoteSigning
package import Vault

/// The changes to a vault from the past, whether it comes from a backup or is an older file that the owner accepts.
///
/// Since then apps may have been revoked, budgets spent, shares refused or removed. If that cannot be found out, the safe choice
/// is made. The caller removes links and records that ended permanently, because a backup and a file of this home know different
/// things about them.
package struct PastVault {
  package private(set) var changes: [RecordChange] = []
  /// Names of apps that are suspended until the owner resumes them.
  package private(set) var suspended: [String] = []
  /// Names of apps whose pairing has ended since.
  package private(set) var revoked: [String] = []
  /// Requests, browsers and passkeys of the console that are gone.
  package private(set) var dropped = 0

  /// - Parameters:
  ///   - further: changes of other records, such as shares that are kept for others.
  ///   - now: seconds since 1970.
  ///   - ending: how an app's pairing ended; nil if it may still exist.
  package init(
    _ vault: Vault, also further: [RecordChange], now: Int64, ending: (Pairing) throws -> [RecordChange]?
  ) throws {
    changes = further
    for pairing in try Store(vault).pairings().map(\.value) {
      if let ended = try ending(pairing) {
        revoked.append(pairing.name)
        changes += ended
      } else {
        suspend(pairing, now)
      }
    }
    for kind in vault.kinds.all where kind.validity == .untilPutBack {
      let ids = try vault.ids(kind)
      dropped += ids.count
      changes += ids.map { .delete(kind: kind, id: $0) }
    }
    // A time at which something may have been signed since is not signed again, nor at places that the vault does not know yet. Apps may
    // date a little ahead.
    let end = SigningTime.limit(now)
    changes.append(Store.closingUnknownCoordinates(upTo: end))
    for record in try vault.records(.signedCoordinate) {
      changes.append(.put(.signedCoordinate, record.id, try SignedCoordinate(record: record.value).closed(upTo: end).record))
    }
  }

  /// Nobody knows what the app used since: its limits and budgets count as used up.
  private mutating func suspend(_ pairing: Pairing, _ now: Int64) {
    var pairing = pairing
    pairing.grant.isSuspended = true
    suspended.append(pairing.name)
    let id = pairing.remoteSigner.bytes.array
    changes.append(.put(.pairing, id, pairing.record))
    guard pairing.grant.counts else { return }
    changes.append(.put(.usage, id, Usage(spending: pairing.grant, since: now).record(countedUpTo: now * 1000)))
  }
}
