import Identities
import Vault

extension FuzzTarget {
  /// Files of keys: the encrypted key file, and what Amber, nos2x-fox, nsecbunkerd and keep export, before and behind the password.
  static let keyFiles = FuzzTarget("keyfiles") { (bytes) throws(FuzzFault) in
    KeyExportInput.read(bytes)
    guard let text = KeyExportInput.rewritten(keyFile: bytes) else { return }
    let again = text.withUnsafeBytes { KeyExportInput.rewritten(keyFile: $0) }
    try require(again == text, "a key file survives a round trip")
  }
}
