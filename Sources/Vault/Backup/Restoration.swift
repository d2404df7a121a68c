import Encodings
import Platform

/// A backup that becomes the vault of a new home: built in a folder beside it, which takes the home's name at the very end.
///
/// Whoever is interrupted before leaves that folder, and no home; the next restore removes it.
public final class Restoration {
  /// The folder it is built in.
  public let path: String
  /// The vault that was built, opened and unlocked as far as what opened the backup reaches.
  public let vault: Vault
  /// The backup's description of itself.
  public let summary: BackupSummary
  private let home: String
  private var isDone = false

  /// Writes the vault.
  /// - Parameters:
  ///   - home: must not exist, or be an empty folder.
  ///   - sealer: seals the new home's device secret, if it can.
  ///   - kinds: the kinds of records that the program knows.
  ///   - progress: called with how many rows of how many were read. If it returns false, the restore ends.
  /// - Throws: `.exists`, `.cancelled`, `.io`, `.vault`, and the errors of the backup. Then nothing is left.
  public init(
    of backup: OpenedBackup, into home: String, sealer: (any DeviceSealer)? = nil,
    kinds: RecordKinds = .own, progress: (_ done: UInt64, _ of: UInt64) -> Bool = { _, _ in true }
  ) throws(BackupError) {
    let home = Self.resolved(home)
    guard Self.isFree(home) else { throw .exists }
    let folder = HomeFolder(path: home + ".restoring")
    (self.home, path) = (home, folder.path)
    Self.remove(folder.path)
    do throws(BackupError) { (vault, summary) = try Self.build(backup, in: folder, sealer, kinds, progress) } catch {
      Self.remove(folder.path)
      throw error
    }
  }

  deinit {
    guard !isDone else { return }
    vault.close()
    Self.remove(path)
  }

  /// Closes the vault and gives the folder the home's name. Everything in it must be closed before.
  /// - Throws: `.exists` when something took the place meanwhile, `.io`.
  public func commit() throws(BackupError) {
    vault.close()
    unlink(HomeFolder(path: path).lock)
    try backupStep { () throws(VaultError) in try HomeFolder.sync(path) }
    guard rename(path, home) == 0 else {
      throw errno == ENOTEMPTY || errno == EEXIST || errno == ENOTDIR ? .exists : .io("naming the new home", code: errno)
    }
    isDone = true
    try backupStep { () throws(VaultError) in try HomeFolder.sync(FilePath.folder(of: home)) }
  }

  private static func build(
    _ backup: OpenedBackup, in folder: HomeFolder, _ sealer: (any DeviceSealer)?, _ kinds: RecordKinds,
    _ progress: (UInt64, UInt64) -> Bool
  ) throws(BackupError) -> (Vault, BackupSummary) {
    try backupStep { () throws(VaultError) in try folder.make() }
    let lock = try backupStep { () throws(VaultError) in try HomeLock(folder) }
    var read: Result<BackupSummary, BackupError>?
    let (header, keys) = (backup.header, backup.keys)
    do throws(VaultError) {
      try VaultFile.create(at: folder.vault, in: folder) { database throws(VaultError) in
        let table = RecordTable(database, header.vaultID, keys, kinds)
        do throws(BackupError) {
          read = .success(
            try backup.eachRow(knowing: kinds, progress: progress) { row, _ throws(BackupError) in
              try backupStep { () throws(VaultError) in try table.insert(row) }
            })
        } catch {
          read = .failure(error)
          throw VaultError.closed  // only to roll back: what is thrown in the end is the error kept above
        }
        try HeaderTable.write(header, keys, revision: 1, try table.inventory(), to: database)
      }
    } catch {
      if case .failure(let fault)? = read { throw fault }
      throw .vault(error)
    }
    guard case .success(let summary)? = read else { throw .vault(.closed) }
    let vault = try backupStep { () throws(VaultError) in
      try Vault.opened(folder, lock, keys, on: .current(sealing: sealer), kinds)
    }
    return (vault, summary)
  }

  // MARK: folders

  /// The path with links followed, when something is there.
  private static func resolved(_ path: String) -> String {
    let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    guard let found = realpath(path, nil) else { return path }
    defer { free(found) }
    return String(cString: found)
  }

  private static func isFree(_ path: String) -> Bool {
    guard let folder = opendir(path) else { return errno == ENOENT }
    defer { closedir(folder) }
    return names(in: folder).isEmpty
  }

  private static func names(in folder: OpaquePointer) -> [String] {
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }

  /// Removes what a restore left, two levels deep: the vault and the log. Everything of value in it is sealed. Nothing behind a link is
  /// ours: the link goes, and what it leads to stays.
  private static func remove(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    if status.st_mode & S_IFMT == S_IFLNK { unlink(path) }
    if status.st_mode & S_IFMT == S_IFDIR { remove(path, in: AT_FDCWD, levels: 2) }
  }

  private static func remove(_ name: String, in parent: Int32, levels: Int) {
    let descriptor = levels > 0 ? openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1
    guard descriptor >= 0, let folder = fdopendir(descriptor) else {
      if descriptor >= 0 { close(descriptor) }
      unlinkat(parent, name, 0)
      return
    }
    defer { closedir(folder) }
    for inner in names(in: folder) { remove(inner, in: descriptor, levels: levels - 1) }
    unlinkat(parent, name, AT_REMOVEDIR)
  }
}

extension Vault {
  /// Opens a vault whose class keys are available.
  fileprivate static func opened(
    _ folder: HomeFolder, _ lock: HomeLock, _ known: ClassKeys, on machine: Machine, _ kinds: RecordKinds
  ) throws(VaultError) -> Vault {
    var keys = known.only { !$0.needsPresence }
    let database = try VaultFile.open(at: folder.vault, under: lock)
    let stored = try HeaderTable.read(from: database)
    guard case .two(let header) = stored.header else { throw .corrupt(what: "header") }
    let summary = try HeaderTable.check(stored, &keys, kinds, in: database)
    var open = Open(
      folder: folder, machine: machine, kinds: kinds, database: database, header: header, headerCode: stored.mac,
      deviceFinding: try DeviceKeyFile(folder: folder, machine: machine).secret(for: header), keys: keys,
      inventory: summary.inventory)
    open.take(summary)
    try open.complete()
    nonisolated(unsafe) let opened = open  // made here, and nobody else has any of it
    return Vault(opened, openedBy: nil)
  }
}
