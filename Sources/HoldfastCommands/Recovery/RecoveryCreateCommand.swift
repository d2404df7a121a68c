import CommandLine
import OwnerAPI
import Platform
import TerminalUI

/// `holdfast recovery create`
enum RecoveryCreateCommand: ProgramCommand {
  static let place = Command(
    "create", "Make a recovery kit",
    discussion: """
      For the whole vault: enough shares open it without the passphrase. With --identity: enough shares give that one key, in \
      another vault. With --out each share becomes a page to print, as a file that nobody else can read; print \
      them, then wipe the files. Without it the shares are printed here. Each page says what the shares hold, which npub they \
      must give, and the command that brings it back; so whoever finds a page learns whose key it is a part of.

      A recovery code is off unless you ask for it. It is a passphrase of SLIP-39 that is needed beside the shares and stands on \
      no page: whoever has enough shares and not the code has nothing, and neither have you. A wrong code is no error by itself; \
      it gives another key, which the restore notices by the npub.

      The vault's passphrase is asked for.
      """,
    options: [
      .value("threshold", "T", "How many shares restore"),
      .value("shares", "N", "How many shares there are, up to 16"),
      .repeated("group", "T/N", "Instead: a group of N shares of which T are needed; may be given several times"),
      .value("group-threshold", "G", "How many of the groups are needed (all)"),
      .value("identity", "NAME", "A kit for this one identity instead of the vault"),
      .value("label", "TEXT", "What you call the kit"),
      .flag("new-recovery-code", "Ask for a recovery code that is needed beside the shares"),
      .value("new-recovery-code-file", "FILE", "The same, read from a file", completion: .file),
      .value("out", "DIR", "Write a page to print for each share into this folder", completion: .folder),
    ],
    examples: [
      Example("holdfast recovery create --threshold 3 --shares 5 --out kit", "five pages, any three of which open the vault"),
      Example("holdfast recovery create --threshold 2 --shares 3 --identity alice", "three shares of one key"),
      Example(
        "holdfast recovery create --group 2/3 --group 3/5 --group-threshold 2 --out kit",
        "two of three in the family and three of five friends"),
    ])

  static func request(_ line: Invocation) throws(UsageError) -> RecoveryCreate.Request {
    var request = RecoveryCreate.Request()
    request.threshold = try line.integer("threshold", in: 1...16)
    request.shares = try line.integer("shares", in: 1...16)
    request.groups = try line.values("group").map { text throws(UsageError) in try group(text) }
    if !request.groups.isEmpty, let other = ["shares", "threshold"].first(where: { line.has($0) }) {
      throw .exclude(option: "group", other: other)
    }
    request.groupThreshold = try line.integer("group-threshold", in: 1...16)
    (request.label, request.identity) = (line.value("label"), line.value("identity"))
    return request
  }

  private static func group(_ text: String) throws(UsageError) -> [Int64] {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int64($0) }
    guard parts.count == 2, let threshold = parts[0], let count = parts[1], threshold > 0, count > 0 else {
      throw .valueMalformed(option: "group", form: "how many are needed of how many, as 2/3")
    }
    return [threshold, count]
  }

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    var request = try usage { () throws(UsageError) in try self.request(line) }
    // Before the kit is made: a folder that cannot be written shall not cost a kit.
    let folder = try line.value("out").map { path throws(CommandError) in try PageFolder(path) }
    request.credential = try credential(line)
    request.newRecoveryCode = try RecoveryCode.new(line)
    let made = try RecoveryCreate.answer(try performWhole(RecoveryCreate.call(request), line))
    let kit = made.kit.summary.id
    var pages: [String]?
    do throws(CommandError) {
      pages = try folder?.write(made)
      guard try handOut(made, folder, pages, line) else { throw .notPrinted }
    } catch {
      // Nobody was told of all its shares: neither the kit nor a page of it shall stay.
      for page in pages ?? [] { unlink(page) }
      var removal = RecoveryRemove.Request()
      (removal.id, removal.credential) = (kit, request.credential)
      _ = try? performWhole(RecoveryRemove.call(removal), line)
      throw error
    }
    // Until now it did not count: had this command been killed, nobody would have its shares.
    var note = RecoveryHandOut.Request()
    (note.id, note.credential) = (kit, request.credential)
    _ = try performWhole(RecoveryHandOut.call(note), line)
    return .done
  }

  /// - Returns: false when not all of it could be written.
  private static func handOut(
    _ made: RecoveryCreate.Response, _ folder: PageFolder?, _ pages: [String]?, _ line: Invocation
  ) throws(CommandError) -> Bool {
    if line.has("json") {
      // What is on pages is not shown besides.
      guard let pages else { return try Output.result(RecoveryCreate.result(made)) }
      return Output.line(KitPages(made.kit, pages).json)
    }
    guard let folder else { return printKit(made) }
    return Output.line(folder.text(made))
  }
}

extension CommandError {
  fileprivate static let notPrinted = CommandError(
    .failed, "The shares could not be written to the end. No kit was made.", hint: "Write pages into a folder with --out.")
}
