import Curve
import Encodings
import EntrustedShares
import Identities
import RemoteSigning
import Signer
import Vault

/// What must not live twice is taken out of a vault that comes from a backup, before anything uses it.
///
/// The backup may be old: since then links were used, apps revoked, browsers signed out, budgets spent. What only the lost vault
/// knew cannot be asked, so the answer is always the careful one.
package struct BurntState {
  /// Apps that wait for their owner to let them go on.
  package private(set) var suspended: [String] = []
  /// Apps whose pairing has ended since the backup, or before it on another machine: they are gone.
  package private(set) var revoked: [String] = []
  /// Links, requests, browsers and passkeys of the console that are gone.
  package private(set) var dropped = 0
  /// Shares kept for others that wait for their guardian's consent again.
  package private(set) var offered = 0
  /// Identities whose key never left its device.
  package private(set) var withoutKey: [String] = []

  /// - Parameters:
  ///   - list: of revocations, from beside the backup; nil when there was none to be believed.
  ///   - now: seconds since 1970.
  static func burn(in vault: Vault, revoked list: RevocationList? = nil, now: Int64) throws -> BurntState {
    var burnt = BurntState()
    let (store, revocations) = (Store(vault), Revocations(vault: vault))
    var changes = try burnt.oneTimeState(vault)
    if let list {
      changes += try revocations.unknown(list.entries).map(Revocations.change)
      let records = BackupRecords(vault: vault)
      // The next backup is newer than all that were made.
      if try list.number > records.lastNumber() { changes.append(BackupRecords.change(lastNumber: list.number)) }
    }
    let ended = Dictionary(
      try ((list?.entries ?? []) + revocations.entries()).map { ($0.key, $0.time / 1000) }, uniquingKeysWith: min)
    var former = try store.formerApps()
    let shares = try RestoredShares(vault, revoked: list, now: now)
    let past = try PastVault(vault, also: shares.changes, now: now) { pairing in
      guard let time = ended[pairing.remoteSigner.bytes.array] else { return nil }
      former.keep(pairing.name, of: pairing.client)
      return store.retiring([pairing.remoteSigner], at: time)
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
    // A link's key stands where a pairing's does.
    for id in try vault.ids(.link) { changes.append(.delete(kind: .pairingKey, id: id)) }
    // Beside links and their keys: the log begins anew, under keys of its own, and push services get to know this daemon by a new key. What
    // was to be written into the log of then is not of this one.
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
