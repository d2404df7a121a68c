import Ciphers
import Encodings
import Platform

/// The files in which fprintd stores the scanned prints. This process can read them as root or through a special group.
enum StoredFingerprints {
  /// fprintd's folder on Debian, with a folder for each account.
  static let usualFolder = "/var/lib/fprint"
  /// The levels below the account's folder: driver, reader.
  static let deepest = 2
  /// More files, or larger ones, are not read. The prints are then unknown.
  static let mostFiles = 256
  static let largestFile = 1 << 20

  /// - Returns: SHA-256 of names, lengths, times and contents, 32 bytes. Nil when they cannot be read, or there are none.
  static func digest(folder: String = usualFolder, account: String? = UserAccount.name) -> [UInt8]? {
    guard let account, !account.contains("/"), account != "..", account != "." else { return nil }
    var found: [String: [UInt8]] = [:]
    guard collect(folder + "/" + account, "", deepest, &found), !found.isEmpty else { return nil }
    var bytes = Array("holdfast stored prints 1\0".utf8)
    for (name, file) in found.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
      bytes.append(bigEndian: UInt32(clamping: name.utf8.count))
      bytes += Array(name.utf8) + file
    }
    return SHA256.digest(of: bytes).array
  }

  /// - Returns: false when something could not be read.
  private static func collect(_ folder: String, _ place: String, _ levels: Int, _ found: inout [String: [UInt8]]) -> Bool {
    guard let entries = opendir(folder) else { return false }
    defer { closedir(entries) }
    while let entry = readdir(entries) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard name != ".", name != ".." else { continue }
      let path = folder + "/" + name
      var status = stat()
      guard lstat(path, &status) == 0 else { return false }
      switch status.st_mode & S_IFMT {
      case S_IFDIR:
        guard levels > 0, collect(path, place + "/" + name, levels - 1, &found) else { return false }
      case S_IFREG:
        guard found.count < mostFiles, let file = file(path) else { return false }
        found[place + "/" + name] = file
      default: return false  // not a file of fprintd
      }
    }
    return true
  }

  private static func file(_ path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_size >= 0, status.st_size <= largestFile else { return nil }
    var content = [UInt8](repeating: 0, count: Int(status.st_size) + 1)
    var length = 0
    while length < content.count {
      let count = content.withUnsafeMutableBytes { read(descriptor, $0.baseAddress.map { $0 + length }, $0.count - length) }
      guard count >= 0 else { return nil }
      if count == 0 { break }
      length += count
    }
    guard length == Int(status.st_size) else { return nil }  // it is being written
    var bytes: [UInt8] = []
    bytes.append(bigEndian: UInt64(length))
    bytes.append(bigEndian: UInt64(bitPattern: Int64(status.st_mtim.tv_sec)))
    bytes.append(bigEndian: UInt64(bitPattern: Int64(status.st_mtim.tv_nsec)))
    return bytes + SHA256.digest(of: Array(content.prefix(length))).array
  }
}
