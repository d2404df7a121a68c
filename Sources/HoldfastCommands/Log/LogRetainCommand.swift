import CommandLine
import OwnerAPI
import ResponseTexts
import Signer

/// `holdfast log retain`
enum LogRetainCommand: OwnerCommand {
  typealias Operation = LogRetain

  static let place = Command(
    "retain", "Delete the content of old entries for good",
    discussion: """
      The hashes of the entries stay, so the log can still be checked and the other entries proved. Entries are dropped by \
      days and in runs of 512, so a few older ones may stay. The log is rewritten: the disk needs free space for all that is \
      kept, and 8 MiB more. Without an option, the command says whether this is done each day.
      """,
    options: [
      .value("keep", "DAYS", "How long content is kept: 7d or more, such as 90d"),
      .flag("daily", "Do the same each day from now on, while the signer is unlocked"),
      .flag("off", "Stop doing it each day; the remaining content stays"), SharedOptions.yesFinally,
    ],
    examples: [
      Example("holdfast log retain --keep 90d", "deletes the content of entries older than 90 days"),
      Example("holdfast log retain --keep 90d --daily", "does so each day from now on"),
    ])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> LogRetain.Request {
    var request = LogRetain.Request()
    request.keep = line.value("keep")
    if let keep = request.keep, LogRetention.seconds(keep) == nil {
      throw .valueMalformed(option: "keep", form: "a number of days, 7d or more, such as 90d")
    }
    (request.isDaily, request.isOff) = (line.has("daily"), line.has("off"))
    return request
  }

  static let isFinal = true

  static func question(_ line: Invocation) -> String? {
    guard let keep = line.value("keep") else { return nil }
    return "Delete the content of all entries older than \(shown(keep)) for good"
      + (line.has("daily") ? ", now and each day?" : "?")
  }

  static func text(_ answer: LogRetain.Response, _ reader: Reader) -> String {
    let dropped =
      answer.dropped.map { dropped in
        "Deleted the content of \(dropped) entries. Now \(shown(answer.redacted)) of \(answer.entries) have none.\n"
      } ?? ""
    guard let days = answer.dailyDays else { return dropped + "No content is deleted by schedule." }
    return dropped + "The content of entries older than \(days) days is deleted each day."
  }
}
