import CommandLine
import OwnerAPI
import Platform
import ResponseTexts
import SecretMemory
import TerminalUI

/// Prints secrets from guarded memory to a descriptor, never through a `String`.
extension Output {
  /// Prints the result as JSON on one line, each secret as its member.
  static func result(_ result: ControlResult) throws(CommandError) -> Bool {
    do {
      var buffer = try SecretBuffer(capacity: 4096)
      try result.writeFilled(to: &buffer)
      try buffer.append("\n")
      return buffer.withBytes { write($0, to: STDOUT_FILENO) }
    } catch { throw .notInMemory }
  }

  /// Prints the secret, and a line break unless it ends with one.
  static func line(_ secret: SecretBox, to descriptor: Int32 = STDOUT_FILENO) -> Bool {
    secret.withBytes { bytes in
      write(bytes, to: descriptor) && (bytes.last == 0x0A || write([0x0A], to: descriptor))
    }
  }
}

extension CommandError {
  static let notInMemory = CommandError(.failed, "There is not enough memory.", hint: "Close other programs, then try again.")
}

/// Prints the shares of a new kit on a terminal.
func printKit(_ made: RecoveryCreate.Response) -> Bool {
  var isWhole = Output.plain(KitText.head(made.kit.summary) + "\n")
  for (index, share) in made.shares.enumerated() {
    isWhole = isWhole && Output.write(Array("Sheet \(index + 1):\n  ".utf8), to: STDOUT_FILENO) && Output.line(share)
  }
  return isWhole && Output.plain("\n" + KitText.foot(made.kit))
}

/// `guardian asked --shares`: prints the received shares, one a line.
func printShares(_ result: ControlResult, _ invocation: Invocation) throws(CommandError) -> ExitCode {
  if invocation.has("json") { return try Output.result(result) ? .done : .failed }
  return result.texts("shares").allSatisfy { Output.line($0) } ? .done : .failed
}
