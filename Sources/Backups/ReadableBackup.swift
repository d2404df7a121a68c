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
  /// The place, for examining the files beside it.
  let place: any FileStore
  /// The folder, if the place is one on this machine. A backup there may have any name.
  let folder: String?
  /// Keeps a fetched file open that no longer has a name; -1 for a file of this machine.
  private let descriptor: Int32

  /// The longest backup that is fetched, in bytes. A server that sends without end cannot fill the disk.
  static let longest: UInt64 = 4 << 30

  /// A file of this machine.
  package init(file path: String) {
    (self.path, shown) = (path, path)
    name = path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    let folder = FilePath.folder(of: path)
    (self.folder, place, descriptor) = (folder, FolderStore(folder), -1)
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
      (self.path, self.folder, descriptor) = (path + "/" + chosen.name, path, -1)
      return
    }
    self.folder = nil
    let spool = try Self.nameless(in: folder)
    do { try Self.fetch(chosen, from: store, to: spool, progress) } catch {
      close(spool)
      throw error
    }
    (descriptor, path) = (spool, "/proc/self/fd/\(spool)")
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

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

  /// Makes a file without a name. Nothing is left of it when this process ends, whatever ends it.
  private static func nameless(in folder: String) throws -> Int32 {
    var path = Array((folder + "/.holdfast-fetched-XXXXXX").utf8CString)
    let spool = mkstemp(&path)
    guard spool >= 0 else { throw BackupError.io("making a file to fetch it to", code: errno) }
    unlink(path)
    _ = fcntl(spool, F_SETFD, FD_CLOEXEC)
    return spool
  }

  private static func fetch(
    _ file: StoredFile, from store: any FileStore, to spool: Int32, _ progress: @escaping @Sendable (UInt64, UInt64) -> Void
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
        state.fault = write(piece, to: spool)
        progress(state.length, file.size ?? 0)
        return state.fault == nil
      }
    } catch { throw state.fault ?? error }
  }

  private static func write(_ piece: UnsafeRawBufferPointer, to spool: Int32) -> ObjectStorageError? {
    var done = 0
    while done < piece.count {
      let count = Platform.write(spool, piece.baseAddress.map { $0 + done }, piece.count - done)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return .io("writing what was fetched", code: count < 0 ? errno : EIO) }
      done += count
    }
    return nil
  }
}

/// The progress of a transfer, which is over when the call that began it returns.
private final class Fetching {
  var length: UInt64 = 0
  var fault: ObjectStorageError?
}
