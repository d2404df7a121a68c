import CommandLine
import CredentialOptions
import Daemon
import JSON
import OwnerAPI
import OwnerOperations
import ResponseTexts
import SecretMemory
import TerminalUI

/// Asks a person at the terminal which key the shares must give, before anything is stored.
enum KeyQuestion {
  /// How often a wrong recovery code may be typed before the shares have to be typed again.
  private static let attempts = 3

  /// Checks that the shares give the named npub. Asks for an npub if none was named, and for the recovery code again if it is
  /// wrong.
  static func ask(_ request: inout RecoveryRestore.Request, _ line: Invocation) throws(CommandError) {
    guard let shares = request.shares.shares else { return }
    let account = request.account.flatMap { UInt32(exactly: $0) }
    var code = request.shares.recoveryCode
    var left = attempts
    while true {
      left -= 1
      let found = try commandErrors { () throws(OperationError) in try SharesExamination(shares, code: code) }
      let named = if let npub = request.npub { npub } else { try ask(found, areWords: request.areWords, account) }
      let isRight = try commandErrors { () throws(OperationError) in try found.gives(named, account: account) }
      // When nobody can be asked again, the signer reports what is wrong.
      if isRight || left == 0 || line.has("recovery-code-file") {
        (request.npub, request.shares.recoveryCode) = (named, code)
        return
      }
      Output.warning("These shares do not give \(printable(named))\(code == nil ? "" : " with that recovery code").")
      code = try RecoveryCode.askIfAny(
        code == nil ? "Recovery code (press Enter if the kit has none): " : "Recovery code, once more (press Enter to give up): ")
      guard code != nil else { return request.npub = named }
    }
  }

  private static func ask(
    _ examination: SharesExamination, areWords: Bool, _ account: UInt32?
  ) throws(CommandError) -> String {
    let possible = try commandErrors { () throws(OperationError) in
      try examination.possible(areWords: areWords, account: account)
    }
    guard let first = possible.first else { throw .givesNoKey }
    if possible.count == 1 {
      Output.warning("These shares of kit \(examination.kit) give \(first.npub) (\(first.text)).")
      guard PlainInput.confirms("Is that the key you want back?") else { throw .wrongKey }
      return first.npub
    }
    Output.warning("These shares of kit \(examination.kit) may give:")
    for (number, one) in possible.enumerated() { Output.warning("  \(number + 1)  \(one.npub) (\(one.text))") }
    for _ in 0..<attempts {
      let answer = PlainInput.line("Which is yours? Its number, or the npub from the sheet (press Enter if none):")
      let text = String(answer.filter { $0 != " " })
      if text.isEmpty { throw .wrongKey }
      if let number = Int(text), possible.indices.contains(number - 1) { return possible[number - 1].npub }
      if SharesExamination.isPublicKey(text) { return text }
      Output.warning("That is neither a number from the list nor an npub. Check it letter by letter.")
    }
    throw .wrongKey
  }

  private static func commandErrors<Result>(_ body: () throws(OperationError) -> Result) throws(CommandError) -> Result {
    do { return try body() } catch { throw CommandError(error) }
  }
}

extension CommandError {
  fileprivate static let wrongKey = CommandError(
    .failed, "Nothing was stored.",
    hint: "If the sheet names another npub, give it with --npub. The kit may have a recovery code, or the key another account.")
  fileprivate static let givesNoKey = CommandError(
    .failed, "These shares give neither a key nor words.", hint: "Do they belong to a kit of the vault?")
}
