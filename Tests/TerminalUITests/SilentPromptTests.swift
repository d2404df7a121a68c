import Foundation
import SecretMemory
import Testing

@testable import TerminalUI

/// A pseudo terminal: the test sits at `keyboard`, the prompt at `terminal`.
private final class PseudoTerminal: @unchecked Sendable {  // Sendable: two descriptors, set once
  let keyboard: Int32
  let terminal: Int32

  init() throws {
    // What posix_openpt and its kin do, which Swift's Glibc module leaves out.
    keyboard = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    var (locked, number): (Int32, UInt32) = (0, 0)
    let (unlock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)  // TIOCSPTLCK, TIOCGPTN
    try #require(ioctl(keyboard, unlock, &locked) == 0 && ioctl(keyboard, getNumber, &number) == 0)
    terminal = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
    try #require(terminal >= 0)
  }

  deinit {
    close(keyboard)
    close(terminal)
  }

  var echoes: Bool {
    var state = termios()
    tcgetattr(terminal, &state)
    return state.c_lflag & tcflag_t(ECHO) != 0
  }

  /// Reads what the screen shows until it ends with `text`, and tells whether typing is shown at that moment.
  func waitFor(_ text: String) -> (screen: String, echoes: Bool) {
    var screen: [UInt8] = []
    var byte: UInt8 = 0
    while !String(decoding: screen, as: UTF8.self).hasSuffix(text), read(keyboard, &byte, 1) == 1 { screen.append(byte) }
    return (String(decoding: screen, as: UTF8.self), echoes)
  }

  func type(_ text: String) { Output.write(Array(text.utf8), to: keyboard) }
}

private enum Entered: Equatable, Sendable {
  case secret(String)
  case fault(SecretInputError)
}

/// Asks on another thread, because the test types meanwhile.
private func asking(_ pty: PseudoTerminal, twice: Bool = false, stopped: String? = nil) -> () -> Entered {
  let done = DispatchSemaphore(value: 0)
  nonisolated(unsafe) var result = Entered.secret("")  // read after the thread signalled that it is done
  Thread {
    do throws(SecretInputError) {
      let prompt = try SilentPrompt(terminal: pty.terminal, stopped: stopped)
      let secret = twice ? try prompt.askTwice("New: ", again: "Again: ") : try prompt.ask("Passphrase: ")
      result = .secret(secret.withBytes { String(decoding: $0, as: UTF8.self) })
    } catch { result = .fault(error) }
    done.signal()
  }.start()
  return {
    done.wait()
    return result
  }
}

// One at a time: the prompt takes the process's signal handlers.
@Suite(.serialized) struct SilentPromptTests {
  @Test("A hidden prompt shows nothing of the input and restores the terminal")
  func showsNothingOfWhatIsTypedAndPutsTheTerminalBack() throws {
    let pty = try PseudoTerminal()
    #expect(pty.echoes)
    let answer = asking(pty)
    #expect(!pty.waitFor("Passphrase: ").echoes)
    pty.type("correct horse\n")
    #expect(answer() == .secret("correct horse"))
    #expect(pty.waitFor("\r\n").screen == "\r\n")
    #expect(pty.echoes)
  }

  @Test(
    "A new secret is accepted only when both entries agree",
    arguments: [
      (["right"], Entered.secret("right")), (["wrong", "right"], .secret("right")), (["", "right"], .secret("right")),
      (Array(repeating: "wrong", count: SilentPrompt.attempts), .fault(.entriesDiffer)),
    ])
  private func takesANewSecretOnlyWhenBothEntriesAgree(entries: [String], expected: Entered) throws {
    let pty = try PseudoTerminal()
    let answer = asking(pty, twice: true)
    for again in entries {
      _ = pty.waitFor("New: ")
      pty.type("right\n")
      _ = pty.waitFor("Again: ")
      pty.type(again + "\n")
    }
    #expect(answer() == expected)
    #expect(pty.echoes)
  }

  @Test("An empty answer to a prompt is refused", arguments: [("\n", SecretInputError.empty), ("\u{4}", .empty)])
  func refusesAnEmptyAnswer(keys: String, fault: SecretInputError) throws {
    let pty = try PseudoTerminal()
    let answer = asking(pty)
    _ = pty.waitFor("Passphrase: ")
    pty.type(keys)
    #expect(answer() == .fault(fault))
    #expect(pty.echoes)
  }

  @Test("A prompt needs a terminal") func refusesToAskWithoutATerminal() throws {
    #expect(throws: SecretInputError.noTerminal) { _ = try SilentPrompt(terminal: open("/dev/null", O_RDWR)) }
  }

  @Test("A prompt restores the terminal before a signal takes effect, and says what was done")
  func putsTheTerminalBackBeforeASignalTakesEffect() throws {
    let pty = try PseudoTerminal()
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    (watched, witness) = (pty.terminal, ends[1])
    var handler = sigaction()
    var before = sigaction()
    handler.__sigaction_handler.sa_handler = noteEcho
    sigaction(SIGTERM, &handler, &before)
    defer { sigaction(SIGTERM, &before, nil) }

    let answer = asking(pty, stopped: "Nothing was created.")
    _ = pty.waitFor("Passphrase: ")
    pty.type("half a secr")
    kill(getpid(), SIGTERM)
    #expect(answer() == .fault(.interrupted))
    var echoed: UInt8 = 9
    #expect(read(ends[0], &echoed, 1) == 1 && echoed == 1)
    #expect(pty.waitFor("created.\r\n").screen == "\r\nNothing was created.\r\n")
    ends.forEach { close($0) }
    #expect(pty.echoes)
  }
}

nonisolated(unsafe) private var watched: Int32 = -1  // set before the handler is installed, as is the next
nonisolated(unsafe) private var witness: Int32 = -1  // a handler only reads it

/// A signal handler that tells, as one byte, whether the terminal shows again what is typed.
private func noteEcho(_ signal: Int32) {
  var state = termios()
  tcgetattr(watched, &state)
  var echoes: UInt8 = state.c_lflag & tcflag_t(ECHO) != 0 ? 1 : 0
  _ = write(witness, &echoes, 1)
}

@Suite struct ProgressBarTests {
  @Test("No progress bar is drawn where the output goes to another program", arguments: [true, false])
  func noBarBesideAPipe(isOutputTerminal: Bool) throws {
    let pseudo = try PseudoTerminal()
    var bar = ProgressBar("Looking", total: 10, now: 0, to: pseudo.terminal, isOutputTerminal: isOutputTerminal)
    bar.update(done: 5, now: 2_000)
    var waiting = pollfd(fd: pseudo.keyboard, events: Int16(POLLIN), revents: 0)
    #expect((poll(&waiting, 1, 0) > 0) == isOutputTerminal)
  }
}
