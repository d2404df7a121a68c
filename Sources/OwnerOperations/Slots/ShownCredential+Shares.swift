import Mnemonics
import OwnerAPI
import SecretMemory
import Signer
import Vault

extension ShownCredential {
  /// The most shares that are read.
  private static let mostShares = 64

  /// Enough shares of the recovery kit, SLIP-39, one a line. Empty lines and lines that begin with `#` are skipped. The secret
  /// `recovery_code` is the code of a kit that has one.
  static func recovery(_ secrets: [String: SecretBox]) throws(OperationError) -> RecoveryOpener {
    guard let text = secrets["shares"] else { throw .usage("The shares are missing.") }
    var collection = ShareCollection()
    try text.withBytes { bytes throws(OperationError) in
      for line in bytes.split(separator: 0x0A).prefix(mostShares) {
        let words = UnsafeRawBufferPointer(rebasing: line)
        guard let first = words.first(where: { $0 > 0x20 }), first != UInt8(ascii: "#") else { continue }
        let position = collection.count + 1
        do {
          try collection.add(words: words)
        } catch {
          throw .usage(
            "Share \(position) does not belong to this kit, or a word of it is wrong.",
            hint: "To check the shares: holdfast recovery test")
        }
      }
    }
    guard collection.numbers.map({ $0.exponent <= CombinedShares.mostExponent }) ?? true else {
      throw .usage("These shares are not from a recovery kit of this vault.", hint: "To check the shares: holdfast recovery test")
    }
    do {
      guard let code = secrets["recovery_code"] else { return RecoveryOpener(master: SecretBox(try collection.secret())) }
      return RecoveryOpener(master: SecretBox(try collection.secret(passphrase: try code.duplicate())))
    } catch {
      throw .usage("These shares are not enough, or do not belong together.", hint: "To check the shares: holdfast recovery test")
    }
  }
}
