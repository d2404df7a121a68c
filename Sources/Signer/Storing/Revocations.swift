import Curve
import Encodings
package import SecretMemory
package import Vault

// The record of kind revocation, by the pairing's remote-signer key, or the mark of a removed share, for docs/FORMATS.md: ended at
// (milliseconds since 1970, 8) ‖ how (1).

/// Why a pairing ended, or that a share kept for somebody was removed. Raw values are stored.
package enum PairingEnding: UInt8 {
  case byOwner = 1
  case byApp = 2
  /// The same app was paired again.
  case replaced = 3
  case identityDeleted = 4
  /// Not a pairing: the person here removed a share that was kept for somebody.
  case shareRemoved = 5
}

/// The ended pairings and removed shares in the vault. No older backup restores them.
package struct Revocations: Sendable {
  private static let keyID = Array("list".utf8)
  let vault: Vault

  package init(vault: Vault) { self.vault = vault }

  /// The changes that note ended pairings, for the transaction that ends them.
  /// - Parameter now: milliseconds since 1970.
  static func changes(of keys: [PublicKey], _ ending: PairingEnding, now: Int64) -> [RecordChange] {
    keys.map { change(RevocationList.Entry(key: $0.bytes.array, time: now, ending: ending.rawValue)) }
  }

  package static func change(_ entry: RevocationList.Entry) -> RecordChange {
    var bytes: [UInt8] = []
    bytes.append(bigEndian: entry.time)
    bytes.append(entry.ending)
    return .put(.revocation, entry.key, bytes)
  }

  /// All revocations that are stored in the vault.
  package func entries() throws(VaultError) -> [RevocationList.Entry] {
    try vault.records(.revocation).map { record throws(VaultError) in
      var reader = ByteReader(record.value[...])
      guard record.id.count == 32, let time: Int64 = reader.integer(), let ending = reader.byte() else {
        throw .corrupt(what: RecordKind.revocation.name)
      }
      return RevocationList.Entry(key: record.id, time: time, ending: ending)
    }
  }

  /// Those that the vault does not know yet.
  package func unknown(_ entries: [RevocationList.Entry]) throws(VaultError) -> [RevocationList.Entry] {
    let known = Set(try vault.ids(.revocation))
    return entries.filter { !known.contains($0.key) }
  }

  /// Adds the entries of a list next to the backups that the vault does not have. Entries are never removed.
  package func add(_ entries: [RevocationList.Entry]) throws(VaultError) {
    let new = try unknown(entries)
    if !new.isEmpty { try vault.transaction(new.map(Self.change)) }
  }

  /// The key that encrypts the list. It is stored as a record and not derived from the class keys, so that every later backup
  /// contains it, however often those change.
  /// - Returns: nil when none was made yet.
  package func key() throws(VaultError) -> SecretBox? {
    do { return SecretBox(try vault.secret(kind: .revocationKey, id: Self.keyID)) } catch .notFound { return nil } catch {
      throw error
    }
  }

  /// The same key, made if missing. Called before the first backup, which must contain it.
  package func keyMadeIfMissing() throws(VaultError) -> SecretBox {
    if let key = try key() { return key }
    let key: SecretBox
    do { key = SecretBox(try SecretBytes(randomCount: 32)) } catch { throw .outOfMemory }
    try vault.transaction([.put(.revocationKey, Self.keyID, key, .afterFirstUnlock)])
    return key
  }
}
