import Signer
package import Vault

/// The changes to shares in a restored or older vault, since nobody knows what the person here decided since then.
///
/// Requests for shares kept here are ended, and older envelopes do not ask again. Kept shares wait for consent again, because the
/// person may have removed them since. Shares whose removal is in the list beside the backups are removed.
package struct RestoredShares {
  package private(set) var changes: [RecordChange]
  /// Requests that end, and shares that were removed since the backup.
  package private(set) var ended = 0
  /// How many shares wait for consent.
  package private(set) var offered = 0

  /// - Parameters:
  ///   - list: the list of revocations from beside the backup.
  ///   - now: seconds since 1970.
  package init(_ vault: Vault, revoked list: RevocationList?, now: Int64) throws(VaultError) {
    changes = [UntakenRequests.change(until: now)]
    try endRequests(vault)
    let removals = (list?.entries ?? []).filter { $0.ending == PairingEnding.shareRemoved.rawValue }
    try askAgain(vault, Dictionary(removals.map { ($0.key, $0.time / 1000) }, uniquingKeysWith: max))
  }

  /// Ends open requests. Those that had ended stay known.
  private mutating func endRequests(_ vault: Vault) throws(VaultError) {
    for record in try vault.records(.shareRequest) {
      guard var request = ShareRequest(record: record.value) else {
        changes.append(.delete(kind: .shareRequest, id: record.id))
        ended += 1
        continue
      }
      guard request.part == .guardian, request.isOpen else { continue }
      request.state = .lapsed
      changes.append(.put(.shareRequest, record.id, request.record))
      ended += 1
    }
  }

  /// - Parameter removals: the times of removals in seconds since 1970, by mark.
  private mutating func askAgain(_ vault: Vault, _ removals: [[UInt8]: Int64]) throws(VaultError) {
    for record in try vault.records(.guardian) {
      guard var note = EntrustedShare(id: record.id, record: record.value), note.side == .kept else { continue }
      if let time = removals[RemovedShares.hash(of: note)], time >= note.at {
        changes += [
          .delete(kind: .guardian, id: note.id), .delete(kind: .heldShare, id: note.id),
          RemovedShares.record(of: note, at: time),
        ]
        ended += 1
        continue
      }
      offered += 1
      note.isOffered = true
      changes.append(.put(.guardian, note.id, note.record))
    }
  }
}
