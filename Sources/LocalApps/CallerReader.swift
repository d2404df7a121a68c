import CLinux
import Ciphers
import Encodings
import Platform
import RemoteSigning
import Sockets

/// Reads from the kernel which program is at the other end of a connection.
///
/// Its file may lie in a file system that another program serves and that never answers. So all of this runs on threads of its own, a
/// few at once: nothing else of the signer waits for it.
final class CallerReader: Sendable {
  /// The largest executable file that is read, in bytes.
  static let largestFile: UInt64 = 2 << 30
  /// The most programs that are identified at once.
  static let mostAtOnce = 8
  /// The most programs that wait to be identified.
  static let mostWaiting = 1_024
  /// The most digests that are kept.
  private static let mostKept = 64

  private struct Job: Sendable {
    let process: PeerProcess
    let user: UInt32
    let done: @Sendable (Result<CallingProgram, AppFault>) -> Void
  }

  private let work = Locked<(jobs: [Job], threads: Int)>(([], 0))
  private let digests = Locked<[ExecutableState: Bytes32]>([:])

  /// Finds out who is at the other end, and calls back once, on a thread of its own.
  /// - Returns: false when too many wait to be read.
  func read(_ process: PeerProcess, user: UInt32, _ done: @escaping @Sendable (Result<CallingProgram, AppFault>) -> Void) -> Bool
  {
    let (isTaken, needsThread) = work.withLock { work in
      guard work.jobs.count < Self.mostWaiting else { return (false, false) }
      work.jobs.append(Job(process: process, user: user, done: done))
      guard work.threads < Self.mostAtOnce else { return (true, false) }
      work.threads += 1
      return (true, true)
    }
    if needsThread, !SystemThread.startDetached({ [self] in readAll() }) { readAll() }
    return isTaken
  }

  private func readAll() {
    while let job = next() { job.done(Result { () throws(AppFault) in try caller(job.process, job.user) }) }
  }

  /// - Returns: nil when none is left; the thread ends then.
  private func next() -> Job? {
    work.withLock { work in
      guard work.jobs.isEmpty else { return work.jobs.removeFirst() }
      work.threads -= 1
      return nil
    }
  }

  /// - Throws: when the process has ended, or does not show what it is.
  private func caller(_ process: PeerProcess, _ user: UInt32) throws(AppFault) -> CallingProgram {
    let folder = "/proc/\(process.id)"
    guard let state = ExecutableState(of: process) else { throw .unseen }
    guard MountTable(of: folder).isOnDisk(state.mount) else { throw .servedFile }
    guard let digest = digest(folder + "/exe", state) else { throw .unseen }
    let (unit, sandbox) = (ProcessFacts.unit(in: folder), ProcessFacts.sandbox(in: folder))
    // Asked last: while the process lives, no other one has its number.
    guard process.isAlive, ExecutableState(of: process) == state else { throw .unseen }
    return CallingProgram(user: user, path: state.path, digest: digest, unit: unit, sandbox: sandbox)
  }

  /// - Returns: nil when the file cannot be read, or somebody wrote to it meanwhile.
  private func digest(_ path: String, _ state: ExecutableState) -> Bytes32? {
    if let known = digests.withLock({ $0[state] }) { return known }
    guard state.size <= Self.largestFile, let digest = Self.read(path) else { return nil }
    guard ExecutableState(path: state.path, of: path) == state else { return nil }
    digests.withLock { digests in
      if digests.count >= Self.mostKept { digests.removeAll() }
      digests[state] = digest
    }
    return digest
  }

  private static func read(_ path: String) -> Bytes32? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var hash = SHA256()
    var (space, total) = ([UInt8](repeating: 0, count: 1 << 20), UInt64(0))
    while true {
      let count = Platform.read(file, &space, space.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0, total <= largestFile else { return nil }
      guard count > 0 else { return hash.finish() }
      total += UInt64(count)
      space.withUnsafeBytes { hash.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
  }
}

/// The executable file of a process, as it is now. Reading this never blocks.
struct ExecutableState: Hashable, Sendable {
  /// As the kernel names it; with “ (deleted)” at its end if no file of this name is the one that runs.
  let path: String
  let size: UInt64
  /// The mount that it is on.
  let mount: UInt64
  private let device, inode: UInt64
  private let modified, changed: Int64

  /// - Returns: nil when the process has ended, or hides its file.
  init?(of process: PeerProcess) {
    let link = "/proc/\(process.id)/exe"
    guard let path = SymbolicLink.target(of: link) else { return nil }
    self.init(path: path, of: link)
  }

  fileprivate init?(path: String, of link: String) {
    var state = holdfast_file_state()
    guard holdfast_file_state_of(AT_FDCWD, link, &state) == 0 else { return nil }
    (self.path, size, device, inode, mount) = (path, state.size, state.device, state.inode, state.mount)
    (modified, changed) = (state.modified, state.changed)
  }

  /// Whether this is the very file that the signer itself runs.
  var isTheSigners: Bool {
    guard let path = SymbolicLink.target(of: "/proc/self/exe") else { return false }
    return ExecutableState(path: path, of: "/proc/self/exe") == self
  }
}

extension AppFault {
  static let notOwn = AppFault(
    .notAllowed,
    "Only Holdfast's own program asks for sites and links, in the same version as the signer. If Holdfast was updated, restart the signer."
  )
  static let servedFile = AppFault(
    .notAllowed,
    "The program's file is on a file system that another program serves, such as an AppImage. Copy it to a disk first.")
  static let unseen = AppFault(
    .notAllowed, "The signer cannot see which program this is: it has ended, or it hides from other programs.")
}
