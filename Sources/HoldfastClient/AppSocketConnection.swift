import CLinux
import JSON
import Platform

/// One request to the signer.
struct AppSocketRequest {
  let method: String
  let parameters: [JSONValue.Member]
  /// Who it is for, if not for this program.
  var behalf: JSONValue?

  init(_ method: String, _ identity: String?, _ parameters: [JSONValue.Member] = []) {
    self.method = method
    self.parameters = parameters + (identity.map { [.init("identity", .string($0))] } ?? [])
  }

  func line(_ id: String) -> [UInt8] {
    JSONValue.object(
      [
        .init("v", .integer(1)), .init("id", .string(id)), .init("method", .string(method)), .init("params", .object(parameters)),
      ] + (behalf.map { [.init("for", $0)] } ?? [])
    ).serialized() + [UInt8(ascii: "\n")]
  }
}

/// A connection to `app.sock`. It asks one thing at a time.
final class AppSocketConnection: @unchecked Sendable {  // Sendable: used under the lock of its owner
  /// The longest answer that is read, in bytes.
  static let longestAnswer = 8 << 20

  /// Milliseconds without an answer after which `onSilence` is called.
  private static let silence: Int64 = 1_000

  /// Called once, when the first answer is not there soon.
  var onSilence: (@Sendable () -> Void)?
  private let descriptor: Int32
  private let seconds: Int?
  private var count = 0
  private var unread: [UInt8] = []
  /// An answer was not waited for, or a line could not be read: what comes next cannot be told apart.
  private var isBroken = false

  init(home: String, seconds: Int?) throws(HoldfastClientError) {
    self.seconds = seconds
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0, UnixSocketAddress(path: home + "/app.sock")?.connectSocket(descriptor) == true else {
      throw .notRunning
    }
    var peer = holdfast_peer_credentials()
    guard holdfast_peer_credentials_of(descriptor, &peer) == 0, peer.uid == geteuid() || peer.uid == 0 else { throw .notOurs }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// - Returns: the member `result` of the answer.
  func ask(_ request: AppSocketRequest) throws(HoldfastClientError) -> JSONValue {
    guard !isBroken else { throw .closed }
    count += 1
    isBroken = true
    try write(request.line("\(count)"))
    let line = try readLine()
    guard let answer = try? JSONValue(parsing: line), answer["id"]?.string == "\(count)" else { throw .unreadable }
    isBroken = false
    if let result = answer["result"] { return result }
    guard let code = answer["error"]?["code"]?.string else { throw .unreadable }
    throw .refused(code: code, message: answer["error"]?["message"]?.string ?? "")
  }

  private func write(_ bytes: [UInt8]) throws(HoldfastClientError) {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress! + done, $0.count - done, Int32(MSG_NOSIGNAL)) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .closed }
      done += count
    }
  }

  private func readLine() throws(HoldfastClientError) -> [UInt8] {
    let deadline = seconds.map { Clock.monotonicMilliseconds + Int64($0) * 1_000 }
    var space = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        defer { unread.removeSubrange(...end) }
        return Array(unread[..<end])
      }
      guard unread.count < Self.longestAnswer else { throw .unreadable }
      try wait(until: deadline)
      let count = Platform.read(descriptor, &space, space.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .closed }
      unread += space[..<count]
    }
  }

  private func wait(until deadline: Int64?) throws(HoldfastClientError) {
    if let onSilence {
      let soon = Clock.monotonicMilliseconds + Self.silence
      if isReady(before: min(soon, deadline ?? soon)) { return }
      self.onSilence = nil
      onSilence()
    }
    guard let deadline else { return }
    guard isReady(before: deadline) else { throw .timedOut }
  }

  /// - Parameter deadline: in milliseconds of the monotonic clock.
  private func isReady(before deadline: Int64) -> Bool {
    var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while true {
      let rest = deadline - Clock.monotonicMilliseconds
      guard rest > 0 else { return false }
      if poll(&state, 1, Int32(clamping: rest)) > 0 { return true }
    }
  }
}
