import CommandLine
import Daemon
import JSON
import Mnemonics
import OwnerAPI
import Platform
import SecretMemory
import Signer
import TerminalUI

/// `holdfast recovery create`
func createKit(_ invocation: Invocation) throws(CommandError) -> ExitCode {
  guard let asked = try usage({ () throws(UsageError) in try OwnerRequest(invocation, now: Int64(time(nil))) }) else {
    return .usage
  }
  // Before the kit is made: a folder that cannot be written shall not cost a kit.
  let folder = try invocation.value("out").map { path throws(CommandError) in try PageFolder(path) }
  let shown = try shown(invocation)
  let code = try RecoveryCode.new(invocation)
  let request = ControlRequest(
    asked.operation, .object((asked.parameters.members ?? []) + shown.members),
    secrets: shown.secrets.merging(code.map { ["new_recovery_code": $0] } ?? [:]) { $1 })
  let result = try performWhole(request, invocation)
  let id: JSONValue = .object([.init("id", result["kit"]?["id"] ?? .null)] + shown.members)
  var pages: [String]?
  do throws(CommandError) {
    pages = try folder?.write(result)
    guard try handOut(result, folder, pages, invocation) else { throw .notPrinted }
  } catch {
    // Nobody was told of all its shares: neither the kit nor a page of it shall stay.
    for page in pages ?? [] { unlink(page) }
    _ = try? perform(ControlRequest("recovery/remove", id, secrets: shown.secrets), invocation)
    throw error
  }
  // Until now it did not count: had this command been killed, nobody would have its shares.
  _ = try perform(ControlRequest("recovery/handed-out", id, secrets: shown.secrets), invocation)
  return .done
}

/// - Returns: false when not all of it could be written.
private func handOut(
  _ result: ControlResult, _ folder: PageFolder?, _ pages: [String]?, _ invocation: Invocation
) throws(CommandError) -> Bool {
  if invocation.has("json") {
    // What is on pages is not shown besides.
    if let pages {
      return Output.line(.object([.init("kit", result["kit"] ?? .null), .init("pages", .array(pages.map { .string($0) }))]))
    }
    return try Output.result(ControlResult(["kit": result["kit"] ?? .null, "shares": []], secrets: result.secrets))
  }
  guard let folder else { return printKit(result) }
  return Output.line(folder.text(result))
}

/// `holdfast guardian add`
func addGuardian(_ invocation: Invocation) throws(CommandError) -> ExitCode {
  guard let asked = try usage({ () throws(UsageError) in try OwnerRequest(invocation, now: Int64(time(nil))) }) else {
    return .usage
  }
  let share: SecretBox
  do throws(ShareEntryError) { share = try oneShare(invocation) } catch {
    throw CommandError(.failed, error.text, hint: error.hint)
  }
  let result = try perform(ControlRequest(asked.operation, asked.parameters, secrets: ["share": share]), invocation)
  if invocation.has("json") { return Output.line(result) ? .done : .failed }
  Output.line(ResultText.text(for: asked.operation, result, now: 0))
  return .done
}

private func oneShare(_ invocation: Invocation) throws(ShareEntryError) -> SecretBox {
  var intake = ShareIntake()
  if let file = invocation.value("share-file") {
    try intake.take(
      try text { () throws(SecretInputError) in try SecretInput.read(file: file, limit: ShareIntake.longestText) })
  } else if Terminal.isInput {
    try askForShares(&intake, isHidden: invocation.has("hidden"), most: 1)
  } else {
    try intake.take(
      try text { () throws(SecretInputError) in
        try SecretInput.read(descriptor: STDIN_FILENO, limit: ShareIntake.longestText)
      })
  }
  guard intake.count == 1 else { throw ShareEntryError("A guardian gets one share, and these are \(intake.count).") }
  return SecretBox(try intake.lines())
}

/// `holdfast recovery test` and `restore`
func useShares(_ invocation: Invocation) throws(CommandError) -> ExitCode {
  let now = Int64(time(nil))
  guard let asked = try usage({ () throws(UsageError) in try OwnerRequest(invocation, now: now) }) else { return .usage }
  // Before sixty words are typed.
  if !Opening.hasVault(home(invocation)) { throw .noVaultToRecover(home(invocation)) }
  let isRestore = asked.operation == "recovery/restore"
  let shares = try readShares(
    invocation.arguments("share-file"), isHidden: invocation.has("hidden"), hidesWords: invocation.has("json"),
    takesRivals: isRestore)
  var secrets = ["shares": shares]
  secrets["recovery_code"] = try RecoveryCode.read(invocation, isTyped: areSharesTyped(invocation))
  if isRestore, invocation.value("identity") == nil { secrets["new_passphrase"] = try newPassphrase(invocation) }
  var request = ControlRequest(asked.operation, asked.parameters, secrets: secrets)
  if isRestore, invocation.has("identity"), Terminal.isInput, !invocation.has("json"), !invocation.has("yes") {
    request = try KeyQuestion.asked(request, invocation)
  }
  let result = try perform(request, invocation)
  if invocation.has("json") { return Output.line(result) ? .done : .failed }
  Output.line(suggested(invocation).text(ResultText.text(for: asked.operation, result, now: now)))
  return .done
}

/// From its file, or asked for twice.
func newPassphrase(_ invocation: Invocation) throws(CommandError) -> SecretBox {
  try NewPassphrase.read("The new passphrase", file: invocation.value("new-passphrase-file"), isQuiet: invocation.has("json"))
}

/// Shares from files; without files from a person at the terminal, else from standard input.
/// - Parameters:
///   - isHidden: whether words that are typed are not to be shown.
///   - hidesWords: whether nobody at this terminal is to be shown what word was probably meant.
///   - takesRivals: whether shares that cannot all be of one kit are taken, where nobody types them.
/// - Returns: one share a line.
func readShares(
  _ files: [String], isHidden: Bool, hidesWords: Bool, takesRivals: Bool = false
) throws(CommandError) -> SecretBox {
  let isTyped = files.isEmpty && Terminal.isInput
  var intake = ShareIntake(takesRivals: takesRivals && !isTyped)
  do throws(ShareEntryError) {
    if isTyped {
      try askForShares(&intake, isHidden: isHidden)
    } else {
      for file in files {
        try intake.take(
          try text { () throws(SecretInputError) in
            try SecretInput.read(file: file, limit: ShareIntake.longestText)
          }, from: file)
      }
      if files.isEmpty {
        try intake.take(
          try text { () throws(SecretInputError) in
            try SecretInput.read(descriptor: STDIN_FILENO, limit: ShareIntake.longestText)
          })
      }
    }
    if let missing = intake.progress?.missing, !missing.isEmpty, !intake.hasRivals {
      throw ShareEntryError("These shares are not enough: \(missing) needed.")
    }
    return SecretBox(try intake.lines())
  } catch {
    if let word = error.suggestion, Terminal.isError, !hidesWords { sayNearest(word) }
    throw CommandError(.failed, error.text, hint: error.hint)
  }
}

private func text(_ read: () throws(SecretInputError) -> SecretBytes) throws(ShareEntryError) -> SecretBytes {
  do { return try read() } catch { throw ShareEntryError(error) }
}

private func shareStep(_ step: () throws(SecretInputError) -> Void) throws(ShareEntryError) {
  do { try step() } catch { throw ShareEntryError(error) }
}

extension ShareEntryError {
  fileprivate init(_ error: SecretInputError) {
    let complaint = CommandError(error, what: "The share")
    self.init(complaint.error, hint: complaint.hint)
  }
}

/// One share after the other until there are enough; a wrong one is mended, or asked for again.
/// - Parameter most: so many are enough, whatever the kit needs.
private func askForShares(_ intake: inout ShareIntake, isHidden: Bool, most: Int? = nil) throws(ShareEntryError) {
  guard isHidden || !ShareTyping.isPossible else {
    try shareStep { () throws(SecretInputError) in
      var typing = try ShareTyping()
      try typing.take(into: &intake, most: most)
    }
    if most == nil { Output.warning("Taken: \(intake.count) shares of kit \(intake.kit ?? "").") }
    return
  }
  Output.warning("Type or paste the words of each share; they are not shown. Four letters of each word are enough.")
  while !isEnough(&intake, most) {
    let question = intake.count == 0 ? "First share: " : "Next share (\(intake.progress?.missing ?? "")): "
    let words = try text { () throws(SecretInputError) in try SilentPrompt().ask(question) }
    do throws(ShareEntryError) {
      try intake.take(words)
      if most == nil, let complaint = intake.check() { throw complaint }
    } catch {
      Output.warning(error.text + " " + error.hint)
      if let word = error.suggestion { sayNearest(word) }
      continue
    }
    Output.warning("Taken: \(intake.count) of kit \(intake.kit ?? "").")
  }
}

private func isEnough(_ intake: inout ShareIntake, _ most: Int?) -> Bool {
  if let most { return intake.count >= most }
  return intake.isComplete && intake.check() == nil
}

/// To the terminal that the share was typed on.
private func sayNearest(_ word: SecretBox) {
  word.withBytes { word in
    Output.write(Array("Did you mean “".utf8), to: STDERR_FILENO)
    _ = write(STDERR_FILENO, word.baseAddress, word.count)
    Output.write(Array("”?\n".utf8), to: STDERR_FILENO)
  }
}

extension CommandError {
  fileprivate static let notPrinted = CommandError(
    .failed, "The shares could not be written to the end. No kit was made.", hint: "Write pages into a folder with --out.")

  fileprivate static func noVaultToRecover(_ home: Home) -> CommandError {
    CommandError(
      .notFound, "There is no vault at \(home.path) that shares could open.",
      hint: "With a backup of it: holdfast backup restore FILE --shares-file SHARES. For one identity's kit: holdfast init first."
    )
  }
}
