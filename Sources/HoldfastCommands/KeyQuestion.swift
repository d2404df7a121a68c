import CommandLine
import Daemon
import JSON
import OwnerAPI
import SecretMemory
import TerminalUI

/// Which key shares must give, asked of a person at the terminal before anything is stored.
enum KeyQuestion {
  /// How often a wrong recovery code may be typed before the shares have to be typed again.
  private static let attempts = 3

  /// Looks whether the shares give the npub that was named; asks for one when none was, and for the recovery code again when it is
  /// a wrong one.
  /// - Returns: the request with the npub, and the code that gives it.
  static func asked(_ request: ControlRequest, _ invocation: Invocation) throws(CommandError) -> ControlRequest {
    guard let shares = request.secrets["shares"] else { return request }
    var code = request.secrets["recovery_code"]
    let account = request.parameters["account"]?.integer.flatMap { UInt32(exactly: $0) }
    var left = attempts
    while true {
      left -= 1
      let look = try complaint { () throws(OperationError) in try SharesExamination(shares, code: code) }
      let named =
        if let npub = request.parameters["npub"]?.string { npub } else { try ask(look, request, account) }
      if try complaint({ () throws(OperationError) in try look.gives(named, account: account) }) {
        return filled(request, named, code)
      }
      // The signer says what is wrong.
      guard left > 0, !invocation.has("recovery-code-file") else { return filled(request, named, code) }
      Output.warning("These shares do not give \(printable(named))\(code == nil ? "" : " with that recovery code").")
      code = try RecoveryCode.askIfAny("Recovery code, once more (just Enter gives up): ")
      if code == nil { return filled(request, named, request.secrets["recovery_code"]) }
    }
  }

  private static func ask(_ look: SharesExamination, _ request: ControlRequest, _ account: UInt32?) throws(CommandError) -> String
  {
    let possible = try complaint { () throws(OperationError) in
      try look.possible(areWords: request.parameters["words"]?.bool == true, account: account)
    }
    guard let first = possible.first else { throw .givesNoKey }
    if possible.count == 1 {
      Output.warning("These shares of kit \(look.kit) give \(first.npub) (\(first.text)).")
      guard PlainInput.confirms("Is that the key you want back?") else { throw .wrongKey }
      return first.npub
    }
    Output.warning("These shares of kit \(look.kit) may give:")
    for (number, one) in possible.enumerated() { Output.warning("  \(number + 1)  \(one.npub) (\(one.text))") }
    for _ in 0..<attempts {
      let answer = PlainInput.line("Which is yours? Its number, or the npub from the page (just Enter: neither): ")
      let text = String(answer.filter { $0 != " " })
      if text.isEmpty { throw .wrongKey }
      if let number = Int(text), possible.indices.contains(number - 1) { return possible[number - 1].npub }
      if SharesExamination.isPublicKey(text) { return text }
      Output.warning("That is neither a number above nor an npub; a letter of it may be wrong.")
    }
    throw .wrongKey
  }

  private static func filled(_ request: ControlRequest, _ npub: String, _ code: SecretBox?) -> ControlRequest {
    let members = (request.parameters.members ?? []).filter { $0.key != "npub" } + [.init("npub", .string(npub))]
    var secrets = request.secrets
    secrets["recovery_code"] = code
    return ControlRequest(request.operation, .object(members), secrets: secrets)
  }

  private static func complaint<Result>(_ body: () throws(OperationError) -> Result) throws(CommandError) -> Result {
    do { return try body() } catch { throw CommandError(error) }
  }
}

extension CommandError {
  fileprivate static let wrongKey = CommandError(
    .failed, "Nothing was stored.",
    hint: "If the page names another npub, give it with --npub; the kit may have a recovery code, or its key another account.")
  fileprivate static let givesNoKey = CommandError(
    .failed, "What these shares give is neither a key nor words.", hint: "Are they of a kit for the vault?")
}
