import Platform
public import SecretMemory

/// Asks for a secret on a terminal without showing what is typed.
///
/// The terminal is restored on every path, even if a signal ends or suspends the program.
public struct SilentPrompt: ~Copyable {
  private let terminal: Int32
  private let isOurs: Bool
  /// The last words to somebody who ends the program at a question, such as “Nothing was created.”
  private let stopped: String?

  /// Asks on the process's own terminal, wherever standard input and output lead.
  /// - Parameter stopped: what is said before a signal ends the program; nil for nothing.
  public init(stopped: String? = nil) throws(SecretInputError) {
    terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard terminal >= 0 else { throw .noTerminal }
    isOurs = true
    self.stopped = stopped
  }

  /// Asks on an open terminal, which stays the caller's.
  /// - Parameter stopped: as above.
  public init(terminal: Int32, stopped: String? = nil) throws(SecretInputError) {
    guard isatty(terminal) == 1 else { throw .noTerminal }
    self.terminal = terminal
    isOurs = false
    self.stopped = stopped
  }

  deinit { if isOurs { close(terminal) } }

  /// Asks once.
  /// - Parameter question: shown as it is, for example `Passphrase: `.
  /// - Throws: `.interrupted` when a signal came and the program outlived it; `.empty` for a line without a byte.
  public borrowing func ask(_ question: String) throws(SecretInputError) -> SecretBytes {
    while true {
      let quiet = try QuietTerminal(terminal)
      Output.write(Array(question.utf8), to: terminal)
      let answer = Answer(from: terminal, orSignalFrom: quiet.signals)
      if answer.isLine { quiet.letLinger() } else { quiet.restore() }
      Output.write([0x0A], to: terminal)
      switch consume answer {
      case .line(let buffer, let count):
        return try buffer.withBytes { bytes throws(SecretInputError) in
          try SecretInput.secret(in: UnsafeRawBufferPointer(rebasing: bytes.prefix(count)))
        }
      case .fault(let fault): throw fault
      case .signal(let signal):
        if signal != SIGTSTP, let stopped { Output.write(Array((stopped + "\n").utf8), to: terminal) }
        kill(getpid(), signal)
        // Suspended and woken: ask again. Any other signal that let us live is a wish to stop.
        if signal != SIGTSTP { throw .interrupted }
      }
    }
  }

  /// Shows a secret that was made for the person, indented, with an empty line above and below.
  public borrowing func show(_ secret: SecretBox) {
    Output.write(Array("\n  ".utf8), to: terminal)
    secret.withBytes { bytes in _ = Output.write(bytes, to: terminal) }
    Output.write(Array("\n\n".utf8), to: terminal)
  }

  /// How often a new secret may be typed in two ways.
  static let attempts = 5

  /// Asks for a new secret, twice; both again when they differ, so that nothing that was typed before is lost.
  /// - Throws: `.entriesDiffer` after `attempts`, or as `ask`.
  public borrowing func askTwice(_ question: String, again: String) throws(SecretInputError) -> SecretBytes {
    for attempt in 1...Self.attempts {
      let first = try ask(question)
      let second = try askForTheSame(again)
      if let second, first.equals(second) { return first }
      if attempt < Self.attempts { Output.write(Array("The two entries differ. Enter both again:\n".utf8), to: terminal) }
    }
    throw .entriesDiffer
  }

  /// An empty second entry is one that differs.
  private borrowing func askForTheSame(_ question: String) throws(SecretInputError) -> SecretBytes? {
    do throws(SecretInputError) { return try ask(question) } catch .empty { return nil } catch { throw error }
  }
}

/// Whichever came first: a line or a signal.
private enum Answer: ~Copyable {
  case line(SecretBytes, count: Int)
  case signal(Int32)
  case fault(SecretInputError)

  var isLine: Bool {
    switch self {
    case .line: true
    default: false
    }
  }

  init(from terminal: Int32, orSignalFrom signals: Int32) {
    guard var buffer = try? SecretBytes(count: SecretInput.limit + 3, filling: { _ in }) else {
      self = .fault(.outOfMemory)
      return
    }
    var filled = 0
    while filled < buffer.count {
      var waits = [
        pollfd(fd: signals, events: Int16(POLLIN), revents: 0), pollfd(fd: terminal, events: Int16(POLLIN), revents: 0),
      ]
      if poll(&waits, 2, -1) < 0 && errno != EINTR {
        self = .fault(.notReadable(code: errno))
        return
      }
      if waits[0].revents != 0 {
        var signal: UInt8 = 0
        self = read(signals, &signal, 1) == 1 ? .signal(Int32(signal)) : .fault(.interrupted)
        return
      }
      guard waits[1].revents != 0 else { continue }
      let (count, last) = buffer.mutate { space -> (Int, UInt8) in
        let count = read(terminal, space.baseAddress.map { $0 + filled }, 1)
        return (count, count == 1 ? space[filled] : 0)
      }
      if count < 0 && (errno == EINTR || errno == EAGAIN) { continue }
      guard count == 1 else { break }  // end of input, or the terminal is gone
      filled += 1
      if last == 0x0A { break }
    }
    self = .line(buffer, count: filled)
  }
}
