import CommandLine
import OwnerAPI
import ResponseTexts

/// `holdfast lock`
enum LockCommand: OwnerCommand {
  typealias Operation = SignerLock

  static let place = Command(
    "lock", "Lock the signer: apps wait until you unlock it",
    discussion: """
      Wipes your keys from the running signer's memory. Apps stay paired. Their requests wait, and continue after 'holdfast \
      unlock' if your rules allow them. Until then you can pause, deny and revoke, but nothing that gives an app more.
      """, shared: [SharedOptions.home, SharedOptions.json, .help])

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    let wasLocked = !line.has("json") && LockedNote.isLocked(line)
    let result = try performWhole(SignerLock.call(try asked(line)), line)
    guard wasLocked, try SignerLock.answer(result).isSuspended != true else { return try show(result, line) }
    return printLine("It was locked already. Requests from apps wait until you unlock: holdfast unlock", line)
  }

  static func text(_ answer: SignerLock.Response, _ reader: Reader) -> String {
    answer.isSuspended == true
      ? "Locked. The signer is locked down as well. To end that: holdfast resume"
      : "Locked. Requests from apps wait until you unlock: holdfast unlock"
  }
}

/// `holdfast unlock`
enum UnlockCommand: OwnerCommand {
  typealias Operation = SignerUnlock

  static let place = Command(
    "unlock", "Unlock the signer with the passphrase, or another way to open the vault",
    discussion: """
      Requests that waited only for this continue by themselves. After a wrong passphrase, the next attempt has to wait. A \
      token counts wrong PINs itself and locks after a few.
      """,
    examples: [
      Example("holdfast unlock", "asks for the passphrase"),
      Example("holdfast unlock --token", "asks for the token's PIN"),
      Example("holdfast unlock --shares-file shares.txt", "uses enough shares of the recovery kit"),
    ])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> SignerUnlock.Request { SignerUnlock.Request() }

  static func complete(_ request: inout SignerUnlock.Request, _ line: Invocation) throws(CommandError) {
    request.credential = try credential(line)
  }

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    if let lock = try LockFacts.beforeAsking(line), !lock.isLocked {
      var answer = Operation.Response()
      (answer.lock, answer.wasLocked) = (lock, false)
      return try show(Operation.result(answer), line)
    }
    let result = try performWhole(SignerUnlock.call(try asked(line)), line)
    guard result.damage != nil, !line.has("json") else { return try show(result, line) }
    let text =
      "Unlocked only to read and to save what is whole. Nothing is signed. To see what is lost: holdfast vault repair --plan"
    return printLine(text, line)
  }

  static func text(_ answer: SignerUnlock.Response, _ reader: Reader) -> String {
    let unlocked = answer.wasLocked == false ? "It was not locked." : "Unlocked."
    let down = "The signer is still locked down, so every use of a key asks you. To end that: holdfast resume"
    return ([answer.lock.isSuspended ? "\(unlocked) \(down)" : unlocked] + absent(answer.absent)).joined(separator: "\n")
  }
}

/// The tokens that were missing while another slot opened the vault.
func absent(_ tokens: [AbsentToken]?) -> [String] { (tokens ?? []).map { shown($0.reason, limit: 400) } }
