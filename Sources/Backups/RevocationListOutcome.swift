import ObjectStorage
import Signer
package import Vault

/// What became of the list of revocations beside a backup that is restored. Whatever is wrong with it, apps come back suspended: it
/// can only take more away.
package struct RevocationListOutcome {
  /// How far it can be believed.
  package enum State {
    /// As new as the newest backup beside it.
    case read
    case missing
    /// It knows less than the backup, or is of before the newest backup beside it: somebody may have put it back.
    case older
    /// It is no list that was written under this vault's key.
    case damaged
    case otherVault
    /// The place did not give it.
    case unreachable
    /// The backup was made before there were such lists, and cannot open one.
    case unknown
  }

  package let state: State
  package private(set) var list: RevocationList?
  private var bytes: [UInt8] = []

  private init(_ state: State, _ list: RevocationList? = nil) { (self.state, self.list) = (state, list) }

  /// Fetches it.
  static func fetch(from place: any FileStore, _ vaultID: [UInt8]) -> RevocationListOutcome {
    do throws(ObjectStorageError) {
      guard let bytes = try place.small(BackupName.revocations(vaultID), TransferControl()) else {
        return RevocationListOutcome(.missing)
      }
      var fetched = RevocationListOutcome(.read)
      fetched.bytes = bytes
      return fetched
    } catch { return RevocationListOutcome(.unreachable) }
  }

  /// Opens it with the key that is in the backup.
  /// - Parameter newestNumber: of the backups beside it.
  func opened(in vault: Vault, newestNumber: UInt64) throws(VaultError) -> RevocationListOutcome {
    guard case .read = state else { return self }
    let revocations = Revocations(vault: vault)
    guard let key = try revocations.key() else { return RevocationListOutcome(.unknown) }
    let list: RevocationList
    do throws(RevocationListError) { list = try RevocationList(opening: bytes, of: vault.id, under: key) } catch .otherVault {
      return RevocationListOutcome(.otherVault)
    } catch { return RevocationListOutcome(.damaged) }
    let known = Set(list.entries.map(\.key))
    let isFull = list.entries.count == RevocationList.maximumEntries  // then the oldest are left out
    let ours = try revocations.entries().map(\.key)
    let isWhole = isFull || known.isSuperset(of: ours)
    return RevocationListOutcome(isWhole && list.number >= newestNumber ? .read : .older, list)
  }
}
