import Platform

/// A terminal that goes on showing nothing after a secret was typed, while the program checks it.
///
/// Whoever thinks that the next prompt is there types the secret again: it must not be shown, and must not be left for the shell. The
/// terminal is restored, and what was typed meanwhile thrown away, by the next prompt, by `end`, and by a signal that ends or suspends
/// the program. Called on one thread.
public enum LingeringQuiet {
  /// Whether prompts leave the terminal quiet. A program that sets it calls `end` before it ends.
  nonisolated(unsafe) public static var isWanted = false  // set once, before anything is asked

  private static let caught = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP]

  /// Keeps the terminal as it is now.
  /// - Parameters:
  ///   - before: the state to restore.
  ///   - signals: those that get its handler, in place of the one they have: at no moment a signal finds the terminal quiet and no handler.
  static func hold(_ terminal: Int32, before: termios, signals: [Int32]) {
    end()
    let copy = fcntl(terminal, F_DUPFD_CLOEXEC, 3)
    heldState = before
    heldTerminal = copy
    if copy < 0 {
      var before = before
      tcsetattr(terminal, TCSAFLUSH, &before)
    }
    for signal in signals { set(restoreAndPassOn, for: signal) }
  }

  /// The state to restore later; nil if nothing is held.
  static var held: termios? { heldTerminal >= 0 ? heldState : nil }

  /// Ends the quiet without a change of the terminal or of handlers: another prompt goes on with it, and has its own.
  static func letGo() {
    guard heldTerminal >= 0 else { return }
    close(heldTerminal)
    heldTerminal = -1
  }

  static func isHandler(of action: sigaction) -> Bool {
    address(of: action.__sigaction_handler.sa_handler) == address(of: restoreAndPassOn)
  }

  /// Restores the terminal, and throws away what was typed meanwhile. Does nothing if nothing is held.
  public static func end() {
    guard heldTerminal >= 0 else { return }
    restoreHeld()
    for signal in caught {
      var action = sigaction()
      sigaction(signal, nil, &action)
      if isHandler(of: action) { set(nil, for: signal) }
    }
    letGo()
  }

  /// - Parameter handler: nil for the system's.
  private static func set(_ handler: Handler?, for signal: Int32) {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = handler
    sigaction(signal, &action, nil)
  }

  private typealias Handler = @convention(c) (Int32) -> Void

  private static func address(of handler: Handler?) -> Int { unsafeBitCast(handler, to: Int.self) }
}

nonisolated(unsafe) private var heldTerminal: Int32 = -1  // changed by the thread that asks, read at the exit
nonisolated(unsafe) private var heldState = termios()  // as above

/// Called by a signal handler, too. A job in the background would be stopped by the change, and the terminal is the shell's then.
private func restoreHeld() {
  guard heldTerminal >= 0, tcgetpgrp(heldTerminal) == getpgrp() else { return }
  tcsetattr(heldTerminal, TCSAFLUSH, &heldState)
}

/// A signal handler: restores the terminal, and lets the signal do what it does to a program without a handler.
private func restoreAndPassOn(_ signal: Int32) {
  let saved = errno
  restoreHeld()
  var usual = sigaction()
  sigaction(signal, &usual, nil)
  raise(signal)
  errno = saved
}
