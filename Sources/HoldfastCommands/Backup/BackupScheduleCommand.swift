import Backups
import CommandLine
import OwnerAPI
import OwnerOperations
import Platform
import ResponseTexts
import TerminalUI

/// `holdfast backup schedule`
enum BackupScheduleCommand: BackupCommand {
  typealias Operation = BackupSchedule

  static let place = Command(
    "schedule", "Schedule backups",
    discussion: """
      The signer makes a backup each time the period ends, also while it is locked. It reads the backup back, and only then \
      removes the oldest ones beyond N. A missed backup is made later. A failed one is tried again, and you are notified. Soon \
      after you revoke an app, the list next to the backups names it too.

      A new place is tried first, so that you need not wait a day to learn that it does not work.

      To change the place or the number of backups kept, give your passphrase or another way to open the vault. Options that \
      you leave out keep their values. \(BackupArguments.placeMeaning)
      """,
    options: [
      .value("to", "PLACE", "Where the backups go"),
      .value("every", "TIME", "How often: 15m to 366d, such as 12h, 1d or 1w (1d)"),
      .value("keep", "N", "How many to keep there (10)"),
      .flag("untested", "Take a new place that cannot be reached now; else a test file is stored there and removed"),
      .flag("off", "Stop scheduled backups; existing ones stay"),
    ] + BackupArguments.place,
    examples: [
      Example("holdfast backup schedule --to /media/disk/backups", "every day, keeping the last ten"),
      Example("holdfast backup schedule --to https://me@cloud.example/dav/keys --every 12h", "to a WebDAV server"),
      Example(
        "holdfast backup schedule --to s3://bucket/keys --endpoint https://s3.example --region eu", "to an S3-compatible store"),
      Example("holdfast backup schedule --every 6h", "more often, to the same place"),
      Example("holdfast backup schedule --off", "stop scheduled backups"),
    ])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> BackupSchedule.Request {
    if line.has("off"), let other = ["to", "every", "keep"].first(where: { line.has($0) }) {
      throw .exclude(option: "off", other: other)
    }
    var request = BackupSchedule.Request()
    (request.isOff, request.every, request.isUntested) = (line.has("off"), line.value("every"), line.has("untested"))
    if let every = request.every { try checkPeriod(every) }
    request.keep = try line.integer("keep", in: 1...1000)
    request.place = BackupPlaceRequest(line)
    return request
  }

  private static func checkPeriod(_ text: String) throws(UsageError) {
    guard let every = Period.seconds(text), (BackupPlan.shortestPeriod...BackupPlan.longestPeriod).contains(every) else {
      throw .valueMalformed(option: "every", form: "a time from 15m to 366d, such as 12h, 1d or 1w")
    }
  }

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    // Alone, it shows a schedule that is set.
    if line.options.keys.allSatisfy({ ["home", "json"].contains($0) }),
      let result = try askDaemonWhole(BackupPlanShow.call(Nothing()), home(line)), try BackupPlanShow.answer(result).plan != nil
    {
      return try show(result, line)
    }
    return try show(try perform(try asked(line), line), line)
  }

  /// Refuses a place that is not there before anything secret is asked.
  static func check(_ line: Invocation) throws(CommandError) {
    guard line.has("to"), !line.has("untested") else { return }
    try checkWorks(try usage(line) { () throws(UsageError) in try self.request(line, 0) })
  }

  private static func checkWorks(_ request: BackupSchedule.Request) throws(CommandError) {
    do throws(OperationError) { try request.place.checkPlace() } catch {
      throw CommandError(error.exit == .usage ? error : Operations.doesNotWork(error, request))
    }
  }

  static func complete(_ request: inout BackupSchedule.Request, _ line: Invocation) throws(CommandError) {
    if let place = try askedPlace(request, line) {
      request.place.to = place
      if !request.isUntested { try checkWorks(request) }
      try request.place.readLogin(line)
      request.credential = try credential(line)
      return
    }
    guard request.isOff || ["to", "every", "keep", "credentials-file"].contains(where: { line.has($0) }) else {
      throw CommandError(
        .usage, "No place is named. Give --to PLACE, or --off to stop backups.", hint: "See: holdfast backup schedule --help")
    }
    try request.place.readLogin(line)
    // The owner confirms where encrypted rows are sent.
    if !request.isOff { request.credential = try credential(line) }
  }

  /// A person who named nothing is asked for a folder. Servers need options.
  private static func askedPlace(_ request: BackupSchedule.Request, _ line: Invocation) throws(CommandError) -> String? {
    let isBare = line.options.keys.allSatisfy { ["home", "untested"].contains($0) }
    guard isBare, Terminal.isInput else { return nil }
    let typed = PlainInput.line("Folder for the backups, best on another disk:", limit: Int(PATH_MAX))
    guard !typed.isEmpty else { return nil }
    return typed.contains("://") ? typed : absolute(FolderName.typed(typed))
  }

  static func text(_ answer: BackupPlanAnswer, _ reader: Reader) -> String {
    BackupText.plan(answer.plan, warning: answer.warning, reader.now)
  }

  static func next(_ answer: BackupPlanAnswer, _ line: Invocation) -> String? {
    line.has("off")
      ? "Backups that were made stay where they are. To list those at a place: holdfast backup list --from PLACE" : nil
  }
}
