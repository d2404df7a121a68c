import CommandLine
import CredentialOptions
import LocalAccess
import Platform
import ResponseTexts
import Signer
import TerminalUI

/// What `holdfast status` says of a vault that no signer serves, without opening it.
enum WithoutSigner {
  /// - Returns: nil when a signer runs, or when the vault is to be opened.
  static func facts(_ line: Invocation) throws(CommandError) -> String? {
    let home = home(line)
    guard !line.has("open"), !CredentialSource.isNamed(in: line),
      !ControlClient.isDaemonRunning(home: home.path)
    else { return nil }
    guard Opening.hasVault(home) else { throw .noVault(home) }
    guard !line.has("json") else {
      throw CommandError(
        .failed, "No signer runs on this home.", hint: "Start it: holdfast up. To open the vault instead, add --open.")
    }
    return pairs(
      [
        ("Holdfast", "\(Version.text), no signer running"), ("Home", printable(home.path, limit: 4096)),
        ("Keys", Opening.isNextStartShut(home) ? "the next signer starts locked down, until: holdfast resume" : ""),
      ], colors: Terminal.hasColors) + "\nTo start the signer: holdfast up. To see what is in the vault: holdfast status --open"
  }
}
