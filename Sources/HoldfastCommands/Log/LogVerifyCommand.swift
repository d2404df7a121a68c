import CommandLine
import OwnerAPI

/// `holdfast log verify`
enum LogVerifyCommand: OwnerCommand {
  typealias Operation = LogVerify

  static let place = Command(
    "verify", "Check that no entry was changed, cut, added or moved",
    discussion: """
      Opens every entry and compares the log with what the vault knows about it. The exit code is 0 if the whole log is sound. \
      Otherwise it is 1, and the first bad entry is named.
      """,
    options: [.flag("without-keys", "Ask for no passphrase: check hashes and signatures only")])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> LogVerify.Request { LogVerify.Request() }

  static func text(_ answer: LogVerify.Response, _ reader: Reader) -> String {
    guard let result = answer.result else { return "" }
    return result.isSound ? sound(result) : damaged(result)
  }

  private static func sound(_ result: LogCheckResult) -> String {
    let dropped = result.redacted ?? 0
    return "The record is sound: \(result.entries) entries, none changed, cut or moved."
      + (dropped > 0 ? " You dropped the content of the first \(dropped)." : "")
      + (result.isOpened == false ? " They were not opened: hashes and signatures only." : "")
  }

  private static func damaged(_ result: LogCheckResult) -> String {
    let after = result.lastGoodTime.map { " The last entry that is right is of \(date($0))." } ?? ""
    return """
      The record is not what was written: \(shown(result.fault, limit: 400)).\(after)
      Nothing was changed. Keep a copy of the folder before anything else. Then stop the signer, and put back the folder “log” from a copy,
      or begin a new log: holdfast log renew
      """
  }
}
