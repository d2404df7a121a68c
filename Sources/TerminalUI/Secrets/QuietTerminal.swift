import Platform

/// A terminal that does not show what is typed, until `restore`.
///
/// Meanwhile, signals that would end or suspend the program become bytes on a pipe, so that the terminal can be restored first.
/// Only one at a time may exist in a process.
final class QuietTerminal {
  private static let caught = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP]

  private let terminal: Int32
  private var before = termios()
  private var handlers: [(signal: Int32, old: sigaction)] = []
  private var pipeEnds: [Int32] = [-1, -1]
  private var isRestored = false

  /// Readable when a signal came; one byte is its number.
  var signals: Int32 { pipeEnds[0] }

  /// - Parameter byKey: whether each key is read at once, and not a line at its end.
  init(_ terminal: Int32, byKey: Bool = false) throws(SecretInputError) {
    self.terminal = terminal
    if let held = LingeringQuiet.held {
      before = held
    } else {
      guard tcgetattr(terminal, &before) == 0 else { throw .noTerminal }
    }
    guard pipe(&pipeEnds) == 0 else { throw .notReadable(code: errno) }
    for end in pipeEnds { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(pipeEnds[1], F_SETFL, O_NONBLOCK)
    signalPipe = pipeEnds[1]
    catchSignals()
    // Only now: a signal in between restores the terminal.
    LingeringQuiet.letGo()
    var quiet = before
    quiet.c_lflag &= ~tcflag_t(ECHO | ECHONL)
    quiet.c_lflag |= tcflag_t(ISIG)
    if byKey { quiet.c_lflag &= ~tcflag_t(ICANON | IEXTEN) } else { quiet.c_lflag |= tcflag_t(ICANON) }
    tcsetattr(terminal, TCSAFLUSH, &quiet)
  }

  deinit { restore() }

  /// Puts the terminal and the signal handlers back. More calls do nothing.
  func restore() {
    guard !isRestored else { return }
    tcsetattr(terminal, TCSAFLUSH, &before)
    restoreHandlers()
  }

  /// Puts the signal handlers back. The terminal stays quiet if the program wants that, until the next prompt or the program's end.
  func letLinger() {
    guard !isRestored, LingeringQuiet.isWanted else { return restore() }
    LingeringQuiet.hold(terminal, before: before, signals: handlers.filter { $0.old.isUsual }.map(\.signal))
    restoreHandlers { !$0.isUsual }
  }

  /// - Parameter isMeant: which of the former handlers are put back.
  private func restoreHandlers(_ isMeant: (sigaction) -> Bool = { _ in true }) {
    isRestored = true
    for var handler in handlers where isMeant(handler.old) { sigaction(handler.signal, &handler.old, nil) }
    let unread = unreadSignal
    signalPipe = -1
    for end in pipeEnds { close(end) }
    if let unread { raise(unread) }
  }

  /// A signal that came after the last look; nil for none.
  private var unreadSignal: Int32? {
    var wait = pollfd(fd: pipeEnds[0], events: Int16(POLLIN), revents: 0)
    var number: UInt8 = 0
    guard poll(&wait, 1, 0) == 1, read(pipeEnds[0], &number, 1) == 1 else { return nil }
    return Int32(number)
  }

  private func catchSignals() {
    for signal in Self.caught {
      var old = sigaction()
      sigaction(signal, nil, &old)
      // What the caller of this program wants ignored (nohup) stays ignored.
      if unsafeBitCast(old.__sigaction_handler.sa_handler, to: Int.self) == 1 { continue }
      if LingeringQuiet.isHandler(of: old) { old = sigaction() }
      var ours = sigaction()
      ours.__sigaction_handler.sa_handler = noteSignal
      sigaction(signal, &ours, nil)
      handlers.append((signal, old))
    }
  }
}

extension sigaction {
  /// Whether the signal does what it does to a program without a handler.
  fileprivate var isUsual: Bool { unsafeBitCast(__sigaction_handler.sa_handler, to: Int.self) == 0 }
}

nonisolated(unsafe) private var signalPipe: Int32 = -1  // written while no handler is installed; a handler only reads it

/// A signal handler: only `write` is called, and errno is left as it was.
private func noteSignal(_ signal: Int32) {
  let saved = errno
  var number = UInt8(truncatingIfNeeded: signal)
  _ = write(signalPipe, &number, 1)
  errno = saved
}
