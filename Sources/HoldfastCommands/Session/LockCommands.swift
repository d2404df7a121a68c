import CommandLine
import OwnerAPI

/// `holdfast lock`
enum LockCommand: OwnerCommand {
  typealias Operation = SignerLock

  static let place = Command(
    "lock", "Lock your keys away; apps wait until you unlock",
    discussion: """
      Wipes your keys from the running signer's memory. Apps stay paired: what they ask meanwhile waits, and goes on by itself \
      after 'holdfast unlock' when your rules allow it.
      """)

  static func text(_ answer: SignerLock.Response, _ reader: Reader) -> String {
    "Locked. What apps ask waits; go on with: holdfast unlock"
  }
}

/// `holdfast unlock`
enum UnlockCommand: OwnerCommand {
  typealias Operation = SignerUnlock

  static let place = Command(
    "unlock", "Unlock your keys with the vault's passphrase, or another way to open it",
    discussion: """
      What only waited for this goes on by itself. After wrong passphrases the next attempt has to wait; a token counts wrong PINs \
      itself, and locks itself after a few.
      """,
    examples: [
      Example("holdfast unlock", "asks for the passphrase"),
      Example("holdfast unlock --token", "asks for the token's PIN"),
      Example("holdfast unlock --shares-file shares.txt", "by enough shares of the recovery kit"),
    ])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> SignerUnlock.Request { SignerUnlock.Request() }

  static func complete(_ request: inout SignerUnlock.Request, _ line: Invocation) throws(CommandError) {
    request.credential = try credential(line)
  }

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    let result = try performWhole(SignerUnlock.call(try asked(line)), line)
    guard result.damage != nil, !line.has("json") else { return try show(result, line) }
    let text = "Unlocked, to look and to save what is whole: nothing is signed. See what is lost: holdfast vault repair --plan"
    return printLine(text, line)
  }

  static func text(_ answer: SignerUnlock.Response, _ reader: Reader) -> String {
    let unlocked =
      answer.lock.isSuspended
      ? "Unlocked. All permissions are still suspended: every use of a key asks you, until: holdfast resume" : "Unlocked."
    return ([unlocked] + absent(answer.absent)).joined(separator: "\n")
  }
}

/// The tokens that were missing while another slot opened the vault.
func absent(_ tokens: [AbsentToken]?) -> [String] { (tokens ?? []).map { shown($0.reason, limit: 400) } }
