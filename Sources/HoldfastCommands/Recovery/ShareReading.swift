import CommandLine
import CredentialOptions
import Daemon
import JSON
import Mnemonics
import OwnerAPI
import Platform
import ResponseTexts
import SecretMemory
import Signer
import TerminalUI

/// Reads the one share that a guardian gets, from a file, the terminal or standard input.
func oneShare(_ invocation: Invocation) throws(ShareEntryError) -> SecretBox {
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
  guard intake.count == 1 else { throw ShareEntryError("A guardian gets one share, but \(intake.count) were given.") }
  return SecretBox(try intake.lines())
}

extension KitShares {
  /// The shares that a command line names or a person types, and the recovery code if the kit has one.
  /// - Parameter asksForCode: whether the code is asked for when nobody knows whether the kit has one. If not, the shares are tried
  ///   without it first, see `askingForCode`.
  init(_ line: Invocation, takesRivals: Bool, asksForCode: Bool) throws(CommandError) {
    self.init()
    // Checked before somebody types sixty words.
    if !Opening.hasVault(home(line)) { throw .noVaultToRecover(home(line)) }
    let read = try readShares(
      ShareFiles.named(in: line), isHidden: line.has("hidden"), hidesWords: line.has("json"), takesRivals: takesRivals)
    shares = read.lines
    let isAsked = areSharesTyped(line) && hasCode(read.kit, line) ?? asksForCode
    recoveryCode = try RecoveryCode.read(line, isAsked: isAsked)
  }
}

/// Performs an operation with typed shares. If they do not fit without a recovery code, asks for that and performs it again. Nothing on a
/// share says whether its kit has a code.
/// - Parameter step: gets the shares, and the code if there is one.
func askingForCode<Result>(
  _ shares: KitShares, _ line: Invocation, _ step: (_ shares: KitShares) throws(CommandError) -> Result
) throws(CommandError) -> Result {
  do throws(CommandError) { return try step(shares) } catch {
    // The hint of an error that a missing code may explain names it.
    guard shares.recoveryCode == nil, areSharesTyped(line),
      error.hint.contains("recovery code") || error.hint.contains("--recovery-code")
    else { throw error }
    Output.warning(printable(error.error, limit: 600))
    var shares = shares
    shares.recoveryCode = try RecoveryCode.askIfAny("Recovery code (press Enter if the kit has none): ")
    guard shares.recoveryCode != nil else { throw error }
    return try step(shares)
  }
}

/// Whether a kit needs a recovery code, as the running signer knows of the kits of that number. Nil if it knows none, or if none runs.
func hasCode(_ kit: String?, _ line: Invocation) -> Bool? {
  guard let kit, let result = try? askDaemonWhole(RecoveryList.call(Nothing()), home(line)),
    let known = try? RecoveryList.answer(result).kits.filter({ $0.id == kit }), !known.isEmpty
  else { return nil }
  return known.contains { $0.hasCode }
}

/// Reads it from its file, or asks for it twice.
func newPassphrase(_ invocation: Invocation) throws(CommandError) -> SecretBox {
  try NewPassphrase.read("The new passphrase", of: invocation)
}

/// Shares from files. Without files, from a person at the terminal, or else from standard input.
/// - Parameters:
///   - isHidden: whether typed words are hidden.
///   - hidesWords: whether the probably intended word is not shown either.
///   - takesRivals: whether shares that cannot all be of one kit are accepted, if nobody types them.
/// - Returns: one share a line, and the kit's number; nil when it is not known.
func readShares(
  _ files: [String], isHidden: Bool, hidesWords: Bool, takesRivals: Bool = false
) throws(CommandError) -> (lines: SecretBox, kit: String?) {
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
      throw ShareEntryError("These shares are not enough. Still missing: \(missing).")
    }
    return (SecretBox(try intake.lines()), intake.kit)
  } catch {
    if let word = error.suggestion, Terminal.isError, !hidesWords { sayNearest(word) }
    throw CommandError(error)
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
    let commandError = CommandError(error, what: "The share")
    self.init(commandError.error, hint: commandError.hint, kind: .unread(error))
  }
}

/// Asks for one share after the other until there are enough. A wrong share is corrected, or asked for again.
/// - Parameter most: this many are enough, whatever the kit needs.
private func askForShares(_ intake: inout ShareIntake, isHidden: Bool, most: Int? = nil) throws(ShareEntryError) {
  guard isHidden || !ShareTyping.isPossible else {
    try shareStep { () throws(SecretInputError) in
      var typing = try ShareTyping()
      try typing.take(into: &intake, most: most)
    }
    if most == nil { Output.warning("Accepted: \(intake.count) shares of kit \(intake.kit ?? "").") }
    return
  }
  Output.warning("Type or paste the words of each share. They are not shown. The first four letters of each word are enough.")
  while !isEnough(&intake, most) {
    let question = intake.count == 0 ? "First share: " : "Next share, in any order (\(intake.progress?.missing ?? "")): "
    let words = try text { () throws(SecretInputError) in try SilentPrompt().ask(question) }
    do throws(ShareEntryError) {
      try intake.take(words)
      if most == nil, let error = intake.check() { throw error }
    } catch {
      Output.warning(error.text + " " + error.hint)
      if let word = error.suggestion { sayNearest(word) }
      continue
    }
    Output.warning("Accepted: \(intake.count) shares of kit \(intake.kit ?? "").")
  }
}

private func isEnough(_ intake: inout ShareIntake, _ most: Int?) -> Bool {
  if let most { return intake.count >= most }
  return intake.isComplete && intake.check() == nil
}

/// Shows the intended word on the terminal where the share was typed.
private func sayNearest(_ word: SecretBox) {
  word.withBytes { word in
    Output.write(Array("Did you mean “".utf8), to: STDERR_FILENO)
    _ = write(STDERR_FILENO, word.baseAddress, word.count)
    Output.write(Array("”?\n".utf8), to: STDERR_FILENO)
  }
}

extension CommandError {
  /// Shares that were not taken.
  init(_ error: ShareEntryError) {
    switch error.kind {
    case .malformed: self.init(.usage, error.text, hint: error.hint)
    case .unfit: self.init(.failed, error.text, hint: error.hint)
    case .unread(let fault): self.init(fault, what: "The share")
    }
  }

  fileprivate static func noVaultToRecover(_ home: Home) -> CommandError {
    CommandError(
      .notFound, "There is no vault at \(home.path) that shares could open.",
      hint:
        "If you have a backup: holdfast backup restore FILE --shares-file SHARES. For a kit of one identity, run holdfast init first."
    )
  }
}

/// Whether a person types this command's shares at the terminal.
func areSharesTyped(_ invocation: Invocation) -> Bool {
  ShareFiles.named(in: invocation).isEmpty && Terminal.isInput
}
