import Ciphers
import Encodings
import Platform
import RemoteSigning
import Sockets

/// Reads from the kernel which program is at the other end of a connection.
final class CallerReader: Sendable {
  /// The largest executable file that is read, in bytes.
  static let largestFile: Int64 = 2 << 30
  /// Digests that are kept.
  private static let mostKept = 64

  /// A file as it was when its digest was computed.
  private struct FileState: Hashable {
    let device, inode: UInt64
    let size: Int64
    let modified, changed: Int64

    init(_ about: stat) {
      (device, inode, size) = (UInt64(about.st_dev), UInt64(about.st_ino), Int64(about.st_size))
      func nanoseconds(_ time: timespec) -> Int64 { Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec) }
      (modified, changed) = (nanoseconds(about.st_mtim), nanoseconds(about.st_ctim))
    }
  }

  private let digests = Locked<[FileState: Bytes32]>([:])

  /// - Throws: when the process has ended, or does not show what it is.
  func caller(_ process: PeerProcess, user: UInt32) throws(AppFault) -> LocalCaller {
    let folder = "/proc/\(process.id)"
    guard let path = Self.target(of: folder + "/exe"), let digest = digest(of: folder + "/exe") else { throw .unseen }
    let (unit, sandbox) = (ProcessFacts.unit(in: folder), ProcessFacts.sandbox(in: folder))
    // Asked last: while the process lives, no other one has its number.
    guard process.isAlive else { throw .unseen }
    return LocalCaller(user: user, path: path, digest: digest, unit: unit, sandbox: sandbox)
  }

  private static func target(of link: String) -> String? {
    var space = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = readlink(link, &space, space.count - 1)
    guard count > 0, count < space.count - 1 else { return nil }
    return String(validating: space[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private func digest(of path: String) -> Bytes32? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var about = stat()
    guard fstat(file, &about) == 0, about.st_mode & S_IFMT == S_IFREG, about.st_size <= Self.largestFile else { return nil }
    let state = FileState(about)
    if let known = digests.withLock({ $0[state] }) { return known }
    guard let digest = Self.read(file) else { return nil }
    // Only if nobody wrote to it meanwhile.
    guard fstat(file, &about) == 0, FileState(about) == state else { return nil }
    digests.withLock { digests in
      if digests.count >= Self.mostKept { digests.removeAll() }
      digests[state] = digest
    }
    return digest
  }

  private static func read(_ file: Int32) -> Bytes32? {
    var hash = SHA256()
    var space = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = Platform.read(file, &space, space.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      guard count > 0 else { return hash.finish() }
      space.withUnsafeBytes { hash.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
  }
}

extension AppFault {
  static let unseen = AppFault(
    .notAllowed, "The signer cannot see which program this is: it has ended, or it hides from other programs.")
}
