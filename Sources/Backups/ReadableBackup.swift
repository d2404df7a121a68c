package import ObjectStorage
import Platform
import Vault

/// A backup that can be read on this machine, with the place where it was found, since other files there say more than the file
/// alone.
package final class ReadableBackup: Sendable {
  /// The path for reading it.
  package let path: String
  /// Its name at the place.
  let name: String
  /// Its name for the owner.
  package let shown: String
  /// The place, for examining the files beside it. Nil for a file that came alone.
  let place: (any FileStore)?
  /// The folder, if the place is one on this machine. A backup there may have any name.
  let folder: String?
  /// What was fetched; nil for a file of this machine.
  private let spool: SpoolFile?

  /// The longest backup that is fetched, in bytes. A server that sends without end cannot fill the disk.
  static let longest: UInt64 = 4 << 30

  /// A file of this machine.
  package init(file path: String) {
    (self.path, shown) = (path, path)
    name = path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    let folder = FilePath.folder(of: path)
    (self.folder, place, spool) = (folder, FolderStore(folder), nil)
  }

  /// A file that was sent here, without those beside it.
  /// - Parameters:
  ///   - path: for reading it.
  ///   - shown: its name for the owner.
  package init(sent path: String, shown: String) {
    (self.path, self.shown, name) = (path, shown, "")
    (folder, place, spool) = (nil, nil, nil)
  }

  /// Fetches one from a place.
  /// - Parameters:
  ///   - name: as `backup list` shows it; nil for the newest.
  ///   - vaultID: the vault whose newest backup is meant. Nil takes any, if all backups there are of one vault.
  ///   - folder: a folder with enough space. A file without a name is made there; it disappears with this process.
  package init(
    at store: any FileStore, _ place: BackupPlace, name: String?, vaultID: [UInt8]?, spooledIn folder: String,
    progress: @escaping @Sendable (_ done: UInt64, _ of: UInt64) -> Void
  ) throws {
    let control = TransferControl()
    let files = try store.list(control)
    let chosen = try Self.chosen(name, vaultID, files)
    (self.place, self.name, shown) = (store, chosen.name, "\(chosen.name) at \(place.text)")
    if case .folder(let path) = place {
      (self.path, self.folder, spool) = (path + "/" + chosen.name, path, nil)
      return
    }
    self.folder = nil
    let fetched = try SpoolFile(in: folder)
    try Self.fetch(chosen, from: store, to: fetched, progress)
    (spool, path) = (fetched, fetched.path)
  }

  /// Chooses the backup to fetch.
  private static func chosen(
    _ name: String?, _ vaultID: [UInt8]?, _ files: [StoredFile]
  ) throws -> StoredFile {
    if let name {
      guard let file = files.first(where: { $0.name == name }) else {
        throw BackupsError.noBackupOfThatName
      }
      return file
    }
    let backups = files.compactMap { BackupName.parts($0.name) }.filter { one in
      vaultID.map { BackupName.parts(one.name, vaultID: $0) != nil } ?? true
    }
    guard let newest = backups.max(), let file = files.first(where: { $0.name == newest.name }) else {
      throw BackupsError.noBackup
    }
    guard Set(backups.map(\.vault)).count == 1 else {
      throw BackupsError.severalVaults
    }
    return file
  }

  private static func fetch(
    _ file: StoredFile, from store: any FileStore, to spool: SpoolFile, _ progress: @escaping @Sendable (UInt64, UInt64) -> Void
  ) throws {
    let state = Fetching()
    let most = min(file.size ?? longest, longest)
    do throws(ObjectStorageError) {
      try store.get(file.name, TransferControl()) { piece in
        guard state.length + UInt64(piece.count) <= most else {
          state.fault = .tooLarge(limit: most)
          return false
        }
        state.length += UInt64(piece.count)
        state.fault = spool.append(Array(piece)).map { .io("writing what was fetched", code: $0) }
        progress(state.length, file.size ?? 0)
        return state.fault == nil
      }
    } catch { throw state.fault ?? error }
  }
}

/// The progress of a transfer, which is over when the call that began it returns.
private final class Fetching {
  var length: UInt64 = 0
  var fault: ObjectStorageError?
}
