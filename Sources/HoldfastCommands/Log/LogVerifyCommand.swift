import CommandLine
import OwnerAPI
import ResponseTexts

/// `holdfast log verify`
enum LogVerifyCommand: OwnerCommand {
  typealias Operation = LogVerify

  static let place = Command(
    "verify", "Check that no entry was changed, cut, added or moved",
    discussion: """
      Opens every entry and compares the log with what the vault knows about it. The exit code is 0 if the whole log is sound. \
      Otherwise it is 1, and the first bad entry is named.
      """,
    options: [.flag("without-keys", "Check only hashes and signatures, without the passphrase")])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> LogVerify.Request { LogVerify.Request() }

  static func text(_ answer: LogVerify.Response, _ reader: Reader) -> String {
    guard let result = answer.result else { return "" }
    return result.isSound ? sound(result) : damaged(result)
  }

  private static func sound(_ result: LogCheckResult) -> String {
    let dropped = result.redacted ?? 0
    return "The log is sound: \(result.entries) entries, none changed, cut or moved."
      + (dropped > 0 ? " You deleted the content of the first \(dropped)." : "")
      + (result.isOpened == false ? " The entries were not opened: only hashes and signatures were checked." : "")
  }

  private static func damaged(_ result: LogCheckResult) -> String {
    let after = result.lastGoodTime.map { " The last good entry was written on \(date($0))." } ?? ""
    return """
      The log is not as it was written: \(ours(result.fault, limit: 400)).\(after)
      Nothing was changed. First make a copy of the whole folder. Then stop the signer and restore the folder “log” from a good copy,
      or begin a new log: holdfast log renew
      """
  }
}
