import CommandLine
import OwnerAPI
import ResponseTexts

/// `holdfast panic`
enum PanicCommand: OwnerCommand {
  typealias Operation = SignerPanic

  static let place = Command(
    "panic", "Lock everything down at once",
    discussion: """
      Asks nothing, except in a trial, which it ends for good. Pauses all apps, wipes your keys from memory, ends all console sessions and records it, in well under a \
      second. The signer stays locked down, also after a restart, until 'holdfast resume'. If no signer runs, the next one \
      starts locked down.
      """, options: [SharedOptions.yes])

  /// Only a trial is worth a question: whatever a lockdown of a vault stops, its owner can start again.
  static func question(_ line: Invocation) -> String? {
    guard let result = try? askDaemonWhole(StatusShow.call(Nothing()), home(line), timeout: longestLook),
      let status = try? StatusShow.answer(result), status.isTrial, !status.lock.isSuspended
    else { return nil }
    return "This trial cannot be resumed: nobody knows its passphrase, so its keys are lost. Lock it down for good?"
  }

  /// A signer that does not answer soon is locked down without a question.
  private static let longestLook = 1000

  /// What it did, and how to resume.
  static func text(_ answer: SignerPanic.Response, _ reader: Reader) -> String {
    guard answer.isRunning != false else {
      return "No signer was running. The next one starts locked down and loads no key until: holdfast resume"
    }
    func line(_ isDone: Bool?, _ done: String, _ not: String) -> String { "  " + (isDone == true ? done : not) }
    return
      ([
        "The signer is locked down (\(shown(answer.milliseconds)) ms).",
        line(
          answer.areKeysWiped, "Your keys are wiped from memory.",
          "A key is still in use. It is wiped from memory when that use ends."),
        line(
          answer.lock.isSuspended, "All apps are paused, and console sessions are ended.",
          "Apps are NOT paused."),
        line(
          answer.isStored, "The signer stays locked down after a restart.", "This could NOT be stored: do not restart the signer."
        ),
        line(answer.isRecorded, "The log records it.", "The log does NOT record it."),
      ] + answer.failures.map { "  ! " + ours($0, limit: 400) } + ["", next(answer)]).joined(separator: "\n")
  }

  private static func next(_ answer: SignerPanic.Response) -> String {
    answer.isTrial == true
      ? "This is a trial. Nobody knows its passphrase, so it cannot resume. Stop it with Ctrl-C and start another."
      : """
      To see what happened: holdfast unlock (the signer stays locked down), holdfast log show, holdfast client list.
      Revoke the apps that you do not know: holdfast client revoke APP. To end the lockdown: holdfast resume
      """
  }
}

/// `holdfast resume`
enum ResumeCommand: OwnerCommand {
  typealias Operation = SignerResume

  static let place = Command(
    "resume", "End a lockdown after 'panic' or an incident, with the vault's passphrase",
    discussion: """
      Run 'holdfast unlock' first: it opens the log and lets you make changes, while every use of a key still asks you. Check \
      'holdfast log show' and 'holdfast client list', and revoke the apps that you do not know. Then 'holdfast resume' puts \
      your rules in force again.
      """)

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> Credential { Credential() }

  static func complete(_ request: inout Credential, _ line: Invocation) throws(CommandError) { request = try credential(line) }

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    if let lock = try LockFacts.beforeAsking(line), !lock.isLocked, !lock.isSuspended {
      var answer = Operation.Response()
      answer.lock = lock
      return try show(Operation.result(answer), line)
    }
    return try show(try performWhole(Operation.call(try asked(line)), line), line)
  }

  static func text(_ answer: SignerResume.Response, _ reader: Reader) -> String {
    let apps = answer.pausedApps
    let rest = apps.isEmpty ? "" : "\nStill paused until you run holdfast client resume APP: \(list(apps))."
    let done =
      answer.wasSuspended
      ? "The lockdown has ended. Your rules are in force again." : "Nothing was locked down, and the signer is not locked."
    return done + rest
  }
}
