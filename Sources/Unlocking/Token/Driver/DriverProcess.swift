import Platform
import Vault

/// Sends bytes to a driver and receives its answers.
protocol DriverChannel: AnyObject {
  /// - Throws: `.deviceFailed` when the driver has ended or does not accept them in time.
  func send(_ bytes: UnsafeRawBufferPointer, until deadline: TokenDeadline) throws(KeyStoreError)
  /// Fills the buffer. Throws `.deviceFailed` when the driver has ended or does not send enough in time.
  func receive(_ room: UnsafeMutableRawBufferPointer, until deadline: TokenDeadline) throws(KeyStoreError)
  /// The received bytes are not a valid answer, so nothing more is expected.
  func giveUp()
}

/// A process that runs a driver. It holds no key, and nothing of this process but one socket. It ends when its owner is freed.
///
/// Make, use and free it on one thread: the kernel ends the process together with the thread that started it.
final class DriverProcess: DriverChannel {
  /// How long a driver may take to log out and end, in milliseconds.
  private static let grace = 2000

  /// The sockets of all running drivers.
  private static let sockets = Locked<Set<Int32>>([])

  private let process: pid_t
  private let socket: Int32
  /// Whether it may end by itself.
  private var isTrusted = true
  /// Whether there is no process left to wait for.
  private var isGone = false

  /// - Parameter module: the driver's file; nil for those in p11-kit's configuration.
  init(module: ModuleFile?) throws(KeyStoreError) {
    var pair: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &pair) == 0 else {
      throw .deviceFailed("a socket for its driver", code: UInt64(errno))
    }
    defer { withExtendedLifetime(module) { _ = close(pair[1]) } }
    do throws(KeyStoreError) { process = try ModuleProcess.spawn(socket: pair[1], module: module?.descriptor) } catch {
      close(pair[0])
      throw error
    }
    socket = pair[0]
    Self.sockets.withLock { _ = $0.insert(pair[0]) }
  }

  /// Closes the connections to all running drivers. Their calls fail at once, and their owners end the processes.
  static func endAll() { sockets.withLock { for socket in $0 { shutdown(socket, Int32(SHUT_RDWR)) } } }

  deinit {
    shutdown(socket, Int32(SHUT_WR))
    _ = ends(within: isTrusted ? Self.grace : 0)
    Self.sockets.withLock { _ = $0.remove(socket) }  // before its number can be reused
    close(socket)
    // Another part of this program waited for it, for example by ignoring SIGCHLD. Its process id may be reused by now.
    guard !isGone else { return }
    // Ends its children, too. The process id cannot be reused yet, because nobody has waited for it.
    kill(-process, SIGKILL)
    kill(process, SIGKILL)
    guard !ends(within: Self.grace) else { return reap(process) }
    // The process may be stuck in the kernel, where no signal reaches it, so another thread waits for it.
    let process = process
    _ = SystemThread.startDetached { reap(process) }
  }

  func giveUp() { isTrusted = false }

  func send(_ bytes: UnsafeRawBufferPointer, until deadline: TokenDeadline) throws(KeyStoreError) {
    let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
    try go(bytes.count, POLLOUT, deadline) { Platform.send(socket, bytes.baseAddress?.advanced(by: $0), $1, flags) }
  }

  func receive(_ room: UnsafeMutableRawBufferPointer, until deadline: TokenDeadline) throws(KeyStoreError) {
    try go(room.count, POLLIN, deadline) { recv(socket, room.baseAddress?.advanced(by: $0), $1, Int32(MSG_DONTWAIT)) }
  }

  /// - Parameter step: transfers bytes, given the position and the maximum.
  private func go(_ count: Int, _ event: Int32, _ deadline: TokenDeadline, _ step: (Int, Int) -> Int) throws(KeyStoreError) {
    guard isTrusted else { throw ended }
    var done = 0
    while done < count {
      let moved = step(done, count - done)
      if moved > 0 {
        done += moved
        continue
      }
      guard moved < 0, errno == EAGAIN || errno == EINTR else { throw ended }
      var wanted = pollfd(fd: socket, events: Int16(event), revents: 0)
      let left = deadline.left
      guard left > 0 else {
        isTrusted = false
        throw .deviceFailed(deadline.words, code: 0)
      }
      _ = poll(&wanted, 1, Int32(clamping: left))
    }
  }

  private var ended: KeyStoreError {
    isTrusted = false
    return .deviceFailed("its driver ended unexpectedly", code: 0)
  }

  /// Whether it has ended. It must still be waited for.
  private func ends(within milliseconds: Int) -> Bool {
    var (waited, pause) = (0, 200)
    while true {
      var state = siginfo_t()
      if waitid(P_PID, id_t(process), &state, WEXITED | WNOHANG | WNOWAIT) != 0, errno == ECHILD {
        isGone = true
        return true
      }
      if state.si_signo == SIGCHLD { return true }
      guard waited < milliseconds * 1000 else { return false }
      usleep(UInt32(pause))
      waited += pause
      pause = min(pause * 2, 10_000)
    }
  }
}

private func reap(_ process: pid_t) { while waitpid(process, nil, 0) < 0 && errno == EINTR {} }
