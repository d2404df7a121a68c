import CommandLine
import OwnerAPI

/// `holdfast panic`
enum PanicCommand: OwnerCommand {
  typealias Operation = SignerPanic

  static let place = Command(
    "panic", "Shut everything at once",
    discussion: """
      Asks nothing. Suspends every permission, wipes your keys from memory, ends all console sessions and records it, in well \
      under a second. It holds over restarts, until 'holdfast resume'. When no signer runs, the next start is shut.
      """)

  /// What it did, and how to resume.
  static func text(_ answer: SignerPanic.Response, _ reader: Reader) -> String {
    guard answer.isRunning != false else {
      return "No signer was running. The next start is shut: no key is loaded until you say: holdfast resume"
    }
    func line(_ isDone: Bool?, _ done: String, _ not: String) -> String { "  " + (isDone == true ? done : not) }
    return
      ([
        "Everything is shut (\(shown(answer.milliseconds)) ms).",
        line(
          answer.areKeysWiped, "Your keys are out of memory.", "A use of a key is still under way; its key is wiped as it ends."),
        line(
          answer.lock.isSuspended, "Every permission is suspended, and console sessions are ended.",
          "Permissions are NOT suspended."),
        line(answer.isStored, "This holds over a restart.", "It could NOT be stored: do not restart the signer."),
        line(answer.isRecorded, "It is in the log.", "It is NOT in the log."),
      ] + answer.failures.map { "  ! " + shown($0, limit: 400) } + ["", next(answer)]).joined(separator: "\n")
  }

  private static func next(_ answer: SignerPanic.Response) -> String {
    answer.isTrial == true
      ? "This is a trial, whose passphrase nobody knows: it cannot go on. Stop it with Ctrl-C, and start another."
      : """
      To look: holdfast unlock, by which everything stays shut; then holdfast log show, and holdfast client list.
      Revoke the apps that you do not know: holdfast client revoke APP. To go on: holdfast resume
      """
  }
}

/// `holdfast resume`
enum ResumeCommand: OwnerCommand {
  typealias Operation = SignerResume

  static let place = Command(
    "resume", "Go on after 'panic' or an incident, with the vault's passphrase",
    discussion: """
      First 'holdfast unlock': it opens the log and lets you change things, while every use of a key asks you. Look at 'holdfast log \
      show' and 'holdfast client list', and revoke what you do not know. Then this lets your permissions hold again.
      """)

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> Credential { Credential() }

  static func complete(_ request: inout Credential, _ line: Invocation) throws(CommandError) { request = try credential(line) }

  static func text(_ answer: SignerResume.Response, _ reader: Reader) -> String {
    let apps = answer.pausedApps
    let rest = apps.isEmpty ? "" : "\nStill suspended, until you say holdfast client resume APP: \(list(apps))."
    return "Unlocked, and your permissions hold again." + rest
  }
}
