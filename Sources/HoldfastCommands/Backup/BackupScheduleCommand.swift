import CommandLine
import OwnerAPI

/// `holdfast backup schedule`
enum BackupScheduleCommand: BackupCommand {
  typealias Operation = BackupSchedule

  static let place = Command(
    "schedule", "Back up by itself",
    discussion: """
      The signer makes a backup each time the period is over, locked or not, reads it back, and only then removes the oldest of \
      those beyond N. One that was missed is made up; one that failed is tried again, and told of. Soon after you revoke an app, \
      the list beside the backups says so, too.

      A new place, and how many stay there, takes your passphrase or another way to open the vault. What you do not say stays as \
      it is. \(BackupArguments.placeMeaning)
      """,
    options: [
      .value("to", "PLACE", "Where to"),
      .value("every", "TIME", "How often: 15m to 366d, as 12h, 1d or 1w (at first 1d)"),
      .value("keep", "N", "How many stay there (at first 10)"), .flag("off", "No more; what is there stays"),
    ] + BackupArguments.place,
    examples: [
      Example("holdfast backup schedule --to /media/disk/backups", "every day, the last ten"),
      Example("holdfast backup schedule --to https://me@cloud.example/dav/keys --every 12h", "to a WebDAV server"),
      Example(
        "holdfast backup schedule --to s3://bucket/keys --endpoint https://s3.example --region eu", "to a store like S3"),
      Example("holdfast backup schedule --every 6h", "more often, to the same place"),
      Example("holdfast backup schedule --off", "no more"),
    ])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> BackupSchedule.Request {
    if line.has("off"), let other = ["to", "every", "keep"].first(where: { line.has($0) }) {
      throw .exclude(option: "off", other: other)
    }
    var request = BackupSchedule.Request()
    (request.isOff, request.every) = (line.has("off"), line.value("every"))
    request.keep = try line.integer("keep", in: 1...1000)
    request.place = BackupPlaceRequest(line)
    return request
  }

  static func complete(_ request: inout BackupSchedule.Request, _ line: Invocation) throws(CommandError) {
    guard request.isOff || ["to", "every", "keep", "credentials-file"].contains(where: { line.has($0) }) else {
      throw CommandError(.usage, "Say where backups go with --to PLACE, or --off.", hint: "See: holdfast help backup schedule")
    }
    try request.place.readLogin(line)
    // Where sealed rows go, the owner says.
    if !request.isOff { request.credential = try credential(line) }
  }

  static func text(_ answer: BackupPlanAnswer, _ reader: Reader) -> String { BackupText.plan(answer.plan, reader.now) }
}
