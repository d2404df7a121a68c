import CommandLine
import OwnerAPI
import ResponseTexts

/// `holdfast backup create`
enum BackupCreateCommand: BackupCommand {
  typealias Operation = BackupCreate

  static let place = Command(
    "create", "Make a backup",
    discussion:
      "Writes FILE, or a file named after the vault and the time in this folder. Never overwrites a file. \(BackupArguments.placeMeaning)",
    arguments: [Argument("file", "The file to make", required: false, completion: .file)],
    options: [.value("to", "PLACE", "Write it to a place instead, and read it back")] + BackupArguments.place,
    examples: [
      Example("holdfast backup create", "a file in this folder"),
      Example("holdfast backup create /media/stick/keys.hfb", "a file on a stick"),
      Example("holdfast backup create --to https://me@cloud.example/dav/keys", "one backup on a WebDAV server"),
    ])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> BackupCreate.Request {
    var request = BackupCreate.Request()
    request.place = BackupPlaceRequest(line)
    request.file = line.argument("file").map(absolute)
    if request.place.to != nil, request.file != nil { throw .exclude(option: "to", other: "file") }
    if request.place.to == nil, request.file == nil { request.folder = absolute(".") }
    return request
  }

  /// Refuses a place that is not there, or a file that cannot be made, before anything secret is asked.
  static func check(_ line: Invocation) throws(CommandError) {
    if line.has("to") { try BackupPlaceRequest(line).checkPlace(line) }
    if let file = line.argument("file") { try checkNewFile(file) }
  }

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    let request = try asked(line)
    do throws(CommandError) { return try show(try perform(request, line), line) } catch {
      throw (request.file ?? request.folder).map { error.naming($0, if: "The backup could not be written") } ?? error
    }
  }

  static func complete(_ request: inout BackupCreate.Request, _ line: Invocation) throws(CommandError) {
    try request.place.readLogin(line)
    // The owner confirms where encrypted rows are sent.
    if request.place.to != nil { request.credential = try credential(line) }
  }

  static func text(_ answer: BackupCreate.Response, _ reader: Reader) -> String { BackupText.made(answer) }
}
