import CLinux
import Platform

/// Backups in a folder of this machine, or in one that is mounted.
package struct FolderStore: FileStore {
  private let folder: String

  /// - Parameter folder: an absolute path. It must exist, so that a disk that is not mounted is not taken for an empty folder.
  package init(_ folder: String) { self.folder = folder }

  package func list(_ control: TransferControl) throws(ObjectStorageError) -> [StoredFile] {
    guard let open = opendir(folder) else { throw errno == ENOENT ? .notFound : .io("opening the folder", code: errno) }
    defer { closedir(open) }
    var files: [StoredFile] = []
    while let entry = readdir(open) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      var status = stat()
      guard FileName.isAllowed(name), lstat(path(name), &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      files.append(StoredFile(name: name, size: UInt64(max(0, status.st_size))))
    }
    return files
  }

  package func put(_ source: String, as name: String, _ control: TransferControl) throws(ObjectStorageError) {
    guard access(path(name), F_OK) != 0 else { throw .exists }
    let from = open(source, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard from >= 0 else { throw .io("opening the file", code: errno) }
    defer { close(from) }
    var status = stat()
    let length = fstat(from, &status) == 0 ? UInt64(max(0, status.st_size)) : 0
    try write(name, isNew: true) { target throws(ObjectStorageError) in
      var buffer = [UInt8](repeating: 0, count: 256 << 10)
      var done: UInt64 = 0
      while true {
        guard !control.isCancelled() else { throw .cancelled }
        let count = read(from, &buffer, buffer.count)
        guard count >= 0 else { throw .io("reading the file", code: errno) }
        guard count > 0 else { return }
        try Self.write(buffer[..<count], to: target)
        done += UInt64(count)
        control.progress(done, length)
      }
    }
  }

  package func replace(_ name: String, with bytes: [UInt8], _ control: TransferControl) throws(ObjectStorageError) {
    try write(name, isNew: false) { target throws(ObjectStorageError) in try Self.write(bytes[...], to: target) }
  }

  package func get(
    _ name: String, _ control: TransferControl, _ sink: @escaping (UnsafeRawBufferPointer) -> Bool
  ) throws(ObjectStorageError) {
    let from = open(path(name), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard from >= 0 else { throw errno == ENOENT ? .notFound : .io("opening the file", code: errno) }
    defer { close(from) }
    var buffer = [UInt8](repeating: 0, count: 256 << 10)
    while true {
      guard !control.isCancelled() else { throw .cancelled }
      let count = read(from, &buffer, buffer.count)
      guard count >= 0 else { throw .io("reading the file", code: errno) }
      guard count > 0 else { return }
      guard buffer.withUnsafeBytes({ sink(UnsafeRawBufferPointer(rebasing: $0[..<count])) }) else { throw .cancelled }
    }
  }

  package func delete(_ name: String, _ control: TransferControl) throws(ObjectStorageError) {
    guard FileName.isAllowed(name) else { throw .notPrepared }
    guard unlink(path(name)) == 0 || errno == ENOENT else { throw .io("removing the file", code: errno) }
    try sync()
  }

  // MARK: helpers

  private func path(_ name: String) -> String { (folder == "/" ? "" : folder) + "/" + name }

  /// Writes under a temporary name, syncs, renames, syncs the folder.
  private func write(
    _ name: String, isNew: Bool, _ fill: (Int32) throws(ObjectStorageError) -> Void
  ) throws(ObjectStorageError) {
    guard FileName.isAllowed(name) else { throw .notPrepared }
    let part = path(FileName.part(of: name))
    unlink(part)
    let target = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard target >= 0 else { throw errno == ENOENT ? .notFound : .io("making the file", code: errno) }
    defer { close(target) }
    do throws(ObjectStorageError) {
      try fill(target)
      guard fsync(target) == 0 else { throw ObjectStorageError.io("syncing the file", code: errno) }
      let status = isNew ? holdfast_rename_new(part, path(name)) : rename(part, path(name))
      guard status == 0 else { throw errno == EEXIST ? ObjectStorageError.exists : .io("naming the file", code: errno) }
    } catch {
      unlink(part)
      throw error
    }
    try sync()
  }

  private static func write(_ bytes: ArraySlice<UInt8>, to target: Int32) throws(ObjectStorageError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Platform.write(target, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw errno == ENOSPC || errno == EDQUOT ? .full : .io("writing the file", code: errno) }
      rest = rest.dropFirst(count)
    }
  }

  private func sync() throws(ObjectStorageError) {
    let open = open(folder, O_RDONLY | O_CLOEXEC)
    guard open >= 0 else { throw .io("syncing the folder", code: errno) }
    defer { close(open) }
    // Some network file systems cannot sync a folder.
    guard fsync(open) == 0 || errno == EINVAL || errno == ENOTSUP else { throw .io("syncing the folder", code: errno) }
  }
}
