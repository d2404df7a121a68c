import Encodings
import RemoteSigning

extension DescriptionPage {
  /// Which program on this machine asks, and what that does not show.
  mutating func caller(_ caller: LocalCaller, isFirstUse: Bool) {
    fact("Program", caller.path)
    fact("SHA-256 of the file", caller.digest.hex.prefix(16) + "…")
    if let sandbox = caller.sandbox { fact("Confined to", sandbox) }
    if let unit = caller.unit { fact("Service", unit) }
    if isFirstUse {
      fact("If you approve", "you let the program in: from then on its trust and your rules decide what it asks")
    }
    if caller.isItsOwnClaim {
      warning("This program sees other files than you do. Its path and its package are what it says of itself.")
    }
    if caller.isInterpreter {
      warning("This program runs any script. The signer sees the program, not the script.")
    }
  }
}
