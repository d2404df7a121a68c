import Curve
import Encodings
import EntrustedShares
import Identities
import RemoteSigning
import Signer
import Vault

/// Removes from a restored vault what must not exist twice, before anything uses it.
///
/// The backup may be old: since then links may have been used, apps revoked, browsers signed out, budgets spent. Only the lost
/// vault knew that, so the safe choice is always made.
package struct BurntState {
  /// Apps that are suspended until the owner resumes them.
  package private(set) var suspended: [String] = []
  /// Apps that were removed, because their pairing has ended since the backup, or before it on another machine.
  package private(set) var revoked: [String] = []
  /// How many links, requests, browsers and passkeys of the console were removed.
  package private(set) var dropped = 0
  /// Shares kept for others that wait for the guardian's consent again.
  package private(set) var offered = 0
  /// Identities whose key is bound to another device.
  package private(set) var withoutKey: [String] = []

  /// - Parameters:
  ///   - list: the list of revocations from beside the backup; nil if there was none that can be trusted.
  ///   - now: seconds since 1970.
  static func burn(in vault: Vault, revoked list: RevocationList? = nil, now: Int64) throws -> BurntState {
    var burnt = BurntState()
    let (store, revocations) = (Store(vault), Revocations(vault: vault))
    var changes = try burnt.oneTimeState(vault)
    if let list {
      changes += try revocations.unknown(list.entries).map(Revocations.change)
      let records = BackupRecords(vault: vault)
      // The next backup must be newer than all earlier ones.
      if try list.number > records.lastNumber() { changes.append(BackupRecords.change(lastNumber: list.number)) }
    }
    let ended = Dictionary(
      try ((list?.entries ?? []) + revocations.entries()).map { ($0.key, $0) }, uniquingKeysWith: { $0.time <= $1.time ? $0 : $1 }
    )
    var former = try store.formerApps()
    let shares = try RestoredShares(vault, revoked: list, now: now)
    let past = try PastVault(vault, also: shares.changes, now: now) { pairing in
      guard let end = ended[pairing.remoteSigner.bytes.array] else { return nil }
      let time = end.time / 1000
      former.keep(pairing.name, of: pairing.client, revokedAt: end.ending == PairingEnding.byOwner.rawValue ? time : nil)
      return store.retiring([pairing.remoteSigner], at: time) + store.keepingRevoked(pairing, now: now)
    }
    changes += past.changes
    (burnt.suspended, burnt.revoked) = (past.suspended, past.revoked)
    burnt.offered = shares.offered
    burnt.dropped += past.dropped + shares.ended
    try vault.transaction(changes)
    if !burnt.revoked.isEmpty { _ = store.save(former) }
    try burnt.dropIdentitiesWithoutKey(vault)
    return burnt
  }

  private mutating func oneTimeState(_ vault: Vault) throws -> [RecordChange] {
    var changes: [RecordChange] = []
    // A link's key has the same record kind as a pairing's.
    for id in try vault.ids(.link) { changes.append(.delete(kind: .pairingKey, id: id)) }
    // Besides links and their keys: the log begins anew with keys of its own, and push services get a new key of this daemon. Log
    // entries that were still to be written do not belong to the new log.
    for kind in vault.kinds.all where kind.validity == .untilRestored {
      let ids = try vault.ids(kind)
      if kind == .link { dropped += ids.count }
      changes += ids.map { .delete(kind: kind, id: $0) }
    }
    changes.append(.delete(kind: .fingerSet, id: []))  // another machine has other fingers
    changes += [StateWhileLocked.removal, .delete(kind: .setting, id: RollbackFinding.setting)]  // found beside that log
    return changes
  }

  private mutating func dropIdentitiesWithoutKey(_ vault: Vault) throws {
    let identities = try Identities(vault)
    for identity in identities.all where try vault.protection(of: .identityKey, id: identity.publicKey.bytes.array) == nil {
      let paired = try Store(vault).pairings().map(\.value).filter { $0.identity == identity.publicKey }.map(\.remoteSigner)
      try identities.delete(identity.publicKey, also: Store.removal(of: paired))
      withoutKey.append(identity.name)
    }
  }
}
