import CommandLine
import JSON
import TerminalUI

/// What is said about locking and shutting.
enum LockText {
  /// One line of `status`; empty when there is nothing to say.
  static func state(_ status: JSONValue) -> String {
    let isLocked = status["locked"]?.bool == true
    if status["suspended"]?.bool == true {
      return "\(isLocked ? "locked, and " : "")all permissions suspended, until: holdfast resume"
    }
    return isLocked ? "locked; apps wait until: holdfast unlock" : ""
  }

  /// What `panic` did, and how to come back.
  static func panic(_ result: JSONValue) -> String {
    guard result["running"]?.bool != false else {
      return "No signer was running. The next start is shut: no key is loaded until you say: holdfast resume"
    }
    func line(_ name: String, _ done: String, _ not: String) -> String { "  " + (result[name]?.bool == true ? done : not) }
    let failures = (result["failures"]?.array ?? []).map { "  ! " + ResultText.shown($0, limit: 400) }
    return
      ([
        "Everything is shut (\(ResultText.shown(result["milliseconds"])) ms).",
        line("keys_wiped", "Your keys are out of memory.", "A use of a key is still under way; its key is wiped as it ends."),
        line("suspended", "Every permission is suspended, and console sessions are ended.", "Permissions are NOT suspended."),
        line("stored", "This holds over a restart.", "It could NOT be stored: do not restart the signer."),
        line("recorded", "It is in the log.", "It is NOT in the log."),
      ] + failures + [
        "",
        result["trial"]?.bool == true
          ? "This is a trial, whose passphrase nobody knows: it cannot go on. Stop it with Ctrl-C, and start another."
          : """
          To look: holdfast unlock, by which everything stays shut; then holdfast log show, and holdfast client list.
          Revoke the apps that you do not know: holdfast client revoke APP. To go on: holdfast resume
          """,
      ]).joined(separator: "\n")
  }
}
