import CLinux
import Encodings
import Platform
import WebPush

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

  /// The stored push for a request; nil if the file is not one.
  private func stored(_ request: Bytes32) -> PushedRequest? {
    let file = open(path(request), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: PushDecryption.maximumBody + 1)
    let count = bytes.withUnsafeMutableBytes { Platform.read(file, $0.baseAddress, $0.count) }
    guard (1...PushDecryption.maximumBody).contains(count) else { return nil }
    return PushedRequest(payload: Array(bytes.prefix(count))).flatMap { $0.id == request ? $0 : nil }
  }

  func remove(_ request: Bytes32) { unlink(path(request)) }

  /// What an ended listener left: the pushes whose wake is not over, the oldest first.
  /// - Parameters:
  ///   - useful: how old a push may be, in seconds. Older ones, those not written to their end, and those that are none are removed.
  ///   - now: seconds since 1970.
  func leftovers(useful: Int64, now: Int64) -> [PushedRequest] {
    var found: [(push: PushedRequest, written: Int64)] = []
    for name in FolderNames.all(in: folder) {
      if name.hasSuffix(WakeFiles.unfinished), WakeFiles.request(in: String(name.dropLast(WakeFiles.unfinished.count))) != nil {
        unlink(folder + "/" + name)
      }
      guard let request = WakeFiles.request(in: name) else { continue }
      var about = stat()
      guard lstat(folder + "/" + name, &about) == 0, about.st_mode & S_IFMT == S_IFREG else { continue }
      guard abs(now - Int64(about.st_mtim.tv_sec)) <= useful, let push = stored(request) else {
        remove(request)
        continue
      }
      found.append((push, Int64(about.st_mtim.tv_sec) * 1_000_000_000 + Int64(about.st_mtim.tv_nsec)))
    }
    return found.sorted { $0.written < $1.written }.map(\.push)
  }
}
