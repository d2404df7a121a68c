import CommandLine
import Encodings
import OwnerAPI
import ResponseTexts
import TerminalUI

/// `holdfast session show`
enum SessionShowCommand: OwnerCommand {
  typealias Operation = SessionShow

  static let place = Command(
    "show", "Show when the session locks automatically", examples: [Example("holdfast session show", "shows when it locks")])

  static func text(_ answer: SessionState, _ reader: Reader) -> String { SessionText.text(answer, reader.now) }
}

/// `holdfast session set`
enum SessionSetCommand: OwnerCommand {
  typealias Operation = SessionSet

  static let place = Command(
    "set", "Change when the session locks automatically",
    options: [
      .value(
        "lock-after", "TIME",
        "Lock if you give no command for this time: 5m, 2h … or never; requests from apps do not count"),
      .value("lock-on-suspend", "ON", "Lock before the machine sleeps", completion: .words(["on", "off"])),
      .value("lock-on-desktop-lock", "ON", "Lock when the desktop locks", completion: .words(["on", "off"])),
    ],
    examples: [
      Example(
        "holdfast session set --lock-after 15m --lock-on-desktop-lock on",
        "locks after 15 minutes, and when the desktop locks"),
      Example("holdfast session set --lock-after never", "stays unlocked while the machine is awake"),
    ])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> SessionSet.Request {
    var request = SessionSet.Request()
    guard ["lock-after", "lock-on-suspend", "lock-on-desktop-lock"].contains(where: { line.has($0) }) else {
      throw .refused(
        sentence: "'session set' needs at least one option that says what to change.",
        hint: "For example: holdfast session set --lock-after 15m. Others are --lock-on-suspend and --lock-on-desktop-lock.")
    }
    if line.value("lock-after") == "never" {
      request.lockAfter = .to(nil)
    } else if let seconds = try line.seconds("lock-after", as: "a time such as 5m or 2h, or never") {
      request.lockAfter = .to(seconds)
    }
    request.locksOnSuspend = line.value("lock-on-suspend").map { $0 == "on" }
    request.locksOnDesktopLock = line.value("lock-on-desktop-lock").map { $0 == "on" }
    return request
  }

  static func text(_ answer: SessionState, _ reader: Reader) -> String { SessionText.text(answer, reader.now) }
}

/// Texts about when the session locks automatically, for people.
private enum SessionText {
  static func text(_ state: SessionState, _ now: Int64) -> String {
    [
      state.isLocked ? "The session is locked." : "The session is open.",
      state.lockAfter.map { after in
        "Locks if you give no command for \(TimeSpan.words(after))"
          + (state.until.map { "; time left: \(TimeSpan.words($0 - now))." } ?? ".")
      } ?? "Stays unlocked even if you give no command for a long time.",
      signal("Locks before the machine sleeps", state.locksOnSuspend, state.hearsSuspend),
      signal("Locks with the desktop", state.locksOnDesktopLock, state.hearsDesktopLock),
    ].joined(separator: "\n")
  }

  private static func signal(_ what: String, _ isOn: Bool, _ isHeard: Bool) -> String {
    guard isOn else { return "\(what): no." }
    if isHeard { return "\(what): yes." }
    return "\(what): not now, although it is set, because no system service tells the signer of it."
  }
}

extension Noun {
  static let session = Noun(
    "session", "When the session locks automatically",
    discussion: """
      While the session is locked, keys of the class when-unlocked are wiped from memory, and requests that need them wait. \
      Identities of the class after-first-unlock go on signing. By default the session locks before the machine sleeps, but \
      not after inactivity: a signer that locks after five minutes would ask for its passphrase all day.
      """,
    commands: [SessionShowCommand.self, SessionSetCommand.self])
}
