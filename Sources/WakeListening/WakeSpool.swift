import CLinux
import Encodings
import Platform

/// The pushes whose wake is not over, each in a file of the vault's folder. A push is answered for once its file is durable, so that a
/// listener that is killed loses none.
struct WakeSpool: Sendable {
  let folder: String

  /// The file of a push.
  func path(_ request: Bytes32) -> String { folder + "/" + WakeFiles.push(request) }

  func add(_ push: PushedRequest) throws(WakeListeningError) {
    let path = path(push.id)
    try WakeFiles.write(push.payload, to: path + WakeFiles.unfinished)
    guard rename(path + WakeFiles.unfinished, path) == 0 else { throw .io(code: errno) }
    try WakeFiles.sync(folder)
  }

  func remove(_ request: Bytes32) { unlink(path(request)) }

  /// What an ended listener left: the requests whose wake is not over, the oldest first.
  /// - Parameters:
  ///   - useful: how old a push may be, in seconds. Older ones, and those not written to their end, are removed.
  ///   - now: seconds since 1970.
  func leftovers(useful: Int64, now: Int64) -> [Bytes32] {
    var found: [(request: Bytes32, written: Int64)] = []
    for name in FolderNames.all(in: folder) {
      if name.hasSuffix(WakeFiles.unfinished), WakeFiles.request(in: String(name.dropLast(WakeFiles.unfinished.count))) != nil {
        unlink(folder + "/" + name)
      }
      guard let request = WakeFiles.request(in: name) else { continue }
      var about = stat()
      guard lstat(folder + "/" + name, &about) == 0, about.st_mode & S_IFMT == S_IFREG else { continue }
      if abs(now - Int64(about.st_mtim.tv_sec)) > useful {
        remove(request)
      } else {
        found.append((request, Int64(about.st_mtim.tv_sec) * 1_000_000_000 + Int64(about.st_mtim.tv_nsec)))
      }
    }
    return found.sorted { $0.written < $1.written }.map(\.request)
  }
}
