import CommandLine
import CredentialOptions
import OwnerAPI
import Platform
import ResponseTexts
import SharePages
import TerminalUI

/// `holdfast recovery create`
enum RecoveryCreateCommand: ProgramCommand {
  static let place = Command(
    "create", "Make a recovery kit",
    discussion: """
      A kit for the vault: enough shares open it without the passphrase. A kit with --identity: enough shares restore that one \
      key in another vault. With --out, each share becomes a sheet to print, in a file that only you can read. Print the sheets, \
      then wipe the files. Without --out the shares are printed here. Each sheet says what the shares hold, which npub they \
      must give, and the command that restores it. So whoever finds a sheet learns whose key it belongs to.

      A recovery code is optional. It is SLIP-39's passphrase: it is needed in addition to the shares and is on no sheet. \
      If you set one and lose it, the shares restore nothing, for a thief and for you. A wrong code gives no error but another key, which \
      the restore notices by the npub.

      Without numbers, the command asks for them at a terminal, and for a folder for the sheets. It asks for the vault's passphrase.
      """,
    options: [
      .value("threshold", "T", "How many shares are needed"),
      .value("shares", "N", "How many shares there are, up to 16"),
      .repeated(
        "group", "T/N",
        "Instead of --threshold and --shares: a group of N shares of which T are needed; may be given several times"),
      .value("group-threshold", "G", "How many of the groups are needed (all)"),
      .value("identity", "NAME", "Make a kit of this one identity instead of the vault", completion: .names("identities")),
      .value("label", "TEXT", "Your name for the kit"),
      .flag("new-recovery-code", "Ask for a recovery code that is needed in addition to the shares"),
      .value("new-recovery-code-file", "FILE", "Read that recovery code from a file", completion: .file),
      .value("out", "DIR", "Write a sheet to print for each share to this folder", completion: .folder),
    ],
    examples: [
      Example("holdfast recovery create", "asks how many shares there are, and makes sheets to print"),
      Example("holdfast recovery create --threshold 3 --shares 5 --out kit", "five sheets, any three of which open the vault"),
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
    try checkEnough(request)
    (request.label, request.identity) = (line.value("label"), line.value("identity"))
    return request
  }

  /// More are needed than there are, or one of several would do: nobody should have to give a passphrase to learn that.
  static func checkEnough(_ request: RecoveryCreate.Request) throws(UsageError) {
    let pairs = request.groups.map { (needed: $0[0], count: $0[1]) }
    let single = request.threshold.flatMap { needed in request.shares.map { (needed: needed, count: $0) } }
    let all = pairs + [single].compactMap { $0 }
    for (needed, count) in all where needed > count {
      throw .refused(
        sentence: "A kit of \(count) shares cannot need \(needed) of them.", hint: "Give a smaller --threshold. Nothing was made."
      )
    }
    if let needed = request.groupThreshold, !pairs.isEmpty, needed > Int64(pairs.count) {
      throw .refused(
        sentence: "A kit of \(pairs.count) groups cannot need \(needed) of them.",
        hint: "Need at most as many as there are. Nothing was made.")
    }
    for (needed, count) in all where needed == 1 && count > 1 {
      throw .refused(
        sentence: "If one of \(count) shares were enough, each would be a copy of the whole key.",
        hint: "Need at least two of them, or make one share. Nothing was made.")
    }
  }

  /// Two numbers such as `2/3`.
  static func group(_ text: String) throws(UsageError) -> [Int64] {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int64($0) }
    guard parts.count == 2, let threshold = parts[0], let count = parts[1], threshold > 0, count > 0 else {
      throw .valueMalformed(option: "group", form: "how many are needed of how many, such as 2/3")
    }
    return [threshold, count]
  }

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    try checkIsNoTrial(line)
    var request = try usage(line) { () throws(UsageError) in try self.request(line) }
    try LockedNote.refuseWhileLocked(line)
    let asked = try KitShape.ask(&request, line)
    // Checked before the kit is made, so that a folder that cannot be written wastes no kit.
    let folder = try (line.value("out") ?? asked).map { path throws(CommandError) in try PageFolder(path) }
    request.credential = try credential(line)
    request.newRecoveryCode = try RecoveryCode.new(line)
    let made = try RecoveryCreate.answer(try performWhole(RecoveryCreate.call(request), line))
    let kit = made.kit.summary.id
    var pages: [String]?
    do throws(CommandError) {
      pages = try folder?.write(made)
      guard try handOut(made, folder, pages, line) else { throw .notPrinted }
    } catch {
      // Nobody saw all of its shares, so neither the kit nor any of its pages is kept.
      folder?.removePages()
      var removal = RecoveryRemove.Request()
      (removal.id, removal.credential) = (kit, request.credential)
      _ = try? performWhole(RecoveryRemove.call(removal), line)
      throw error
    }
    // Until now the kit was not active: if this command had been killed, nobody would have its shares.
    var note = RecoveryHandOut.Request()
    (note.id, note.credential) = (kit, request.credential)
    _ = try performWhole(RecoveryHandOut.call(note), line)
    return .done
  }

  /// - Returns: false if not everything could be written.
  private static func handOut(
    _ made: RecoveryCreate.Response, _ folder: PageFolder?, _ pages: [String]?, _ line: Invocation
  ) throws(CommandError) -> Bool {
    if line.has("json") {
      // Shares that are written on pages are not shown, too.
      guard let pages else { return try Output.result(RecoveryCreate.result(made)) }
      return Output.line(KitPages(made.kit, pages).json)
    }
    guard let folder else { return printKit(made) }
    return Output.line(KitText.pages(folder, made))
  }
}

extension CommandError {
  fileprivate static let notPrinted = CommandError(
    .failed, "The shares could not be written completely. No kit was made.", hint: "Write sheets into a folder with --out.")
}
