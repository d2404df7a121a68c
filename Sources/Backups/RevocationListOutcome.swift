import ObjectStorage
import Signer
package import Vault

/// The result of reading the list of revocations beside a backup that is restored. Whatever is wrong with the list, apps come back
/// suspended: it can only take more permissions away.
package struct RevocationListOutcome {
  /// Whether the list can be trusted.
  package enum State {
    /// As new as the newest backup beside it.
    case read
    case missing
    /// It names fewer revocations than the backup, or is older than the newest backup beside it: somebody may have restored an old one.
    case older
    /// It was not written with this vault's key.
    case damaged
    case otherVault
    /// The place could not be read.
    case unreachable
    /// The backup was made before there were such lists, and cannot open one.
    case unknown
  }

  package let state: State
  package private(set) var list: RevocationList?
  private var bytes: [UInt8] = []

  private init(_ state: State, _ list: RevocationList? = nil) { (self.state, self.list) = (state, list) }

  /// A list that the owner gave.
  /// - Parameter bytes: the file's.
  static func given(_ bytes: [UInt8]) -> RevocationListOutcome {
    var given = RevocationListOutcome(.read)
    given.bytes = bytes
    return given
  }

  /// Fetches the list.
  /// - Parameter place: nil for a backup that came alone.
  static func fetch(from place: (any FileStore)?, _ vaultID: [UInt8]) -> RevocationListOutcome {
    do throws(ObjectStorageError) {
      guard let bytes = try place?.small(BackupName.revocations(vaultID), TransferControl()) else {
        return RevocationListOutcome(.missing)
      }
      var fetched = RevocationListOutcome(.read)
      fetched.bytes = bytes
      return fetched
    } catch { return RevocationListOutcome(.unreachable) }
  }

  /// Opens the list with the key in the backup.
  /// - Parameter newestNumber: the highest number of the backups beside it.
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
