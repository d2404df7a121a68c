import CLinux
import CWebSockets
import Platform

/// Looks names up on its own threads, because `getaddrinfo` blocks. The threads end when nothing waits.
final class Resolver: Sendable {
  private struct Job: Sendable {
    let host: String
    let done: @Sendable ([String]) -> Void
  }
  private struct State {
    var waiting: [Job] = []
    var threads = 0
    var isOver = false
  }
  private static let stackBytes = 256 * 1024
  private let state = Locked(State())

  /// Calls `done` with numeric addresses, or none if the name was not found. For a literal address this happens at once,
  /// otherwise on another thread.
  func resolve(_ host: String, _ done: @escaping @Sendable ([String]) -> Void) {
    if Self.isLiteral(host) { return done([host]) }
    let needsThread = state.withLock { state in
      guard !state.isOver else { return false }
      state.waiting.append(Job(host: host, done: done))
      guard state.threads < SocketLimits.lookUpsAtOnce else { return false }
      state.threads += 1
      return true
    }
    if needsThread, !SystemThread.startDetached(stackBytes: Self.stackBytes, { [self] in work() }) {
      if let job = next() { job.done([]) }
      state.withLock { $0.threads -= 1 }
    }
  }

  /// Running look-ups finish, but nobody is told their result.
  func stop() {
    state.withLock { state in
      state.isOver = true
      state.waiting = []
    }
  }

  private func work() {
    while let job = next() { job.done(Self.addresses(of: job.host)) }
  }

  private func next() -> Job? {
    state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.threads -= 1
        return nil
      }
      return state.waiting.removeFirst()
    }
  }

  static func isLiteral(_ host: String) -> Bool {
    var v4 = in_addr()
    var v6 = in6_addr()
    return inet_pton(AF_INET, host, &v4) == 1 || inet_pton(AF_INET6, host, &v6) == 1
  }

  private static func addresses(of host: String) -> [String] {
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_ADDRCONFIG
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
    defer { freeaddrinfo(list) }
    var found: [String] = []
    var entry = list
    while let address = entry?.pointee, found.count < SocketLimits.addressesTried {
      entry = address.ai_next
      guard let socketAddress = address.ai_addr, Int(address.ai_addrlen) <= MemoryLayout<sockaddr_storage>.size else { continue }
      var storage = sockaddr_storage()
      memcpy(&storage, socketAddress, Int(address.ai_addrlen))
      if let (text, _) = numeric(&storage, address.ai_addrlen), !found.contains(text) { found.append(text) }
    }
    return found
  }
}
