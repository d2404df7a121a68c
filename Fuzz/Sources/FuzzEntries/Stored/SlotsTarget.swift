internal import Unlocking
internal import Vault

extension FuzzTarget {
  /// What slots have in clear: a token's, a keyring's, a passkey's parameters.
  static let slots = FuzzTarget("slots") { (bytes) throws(FuzzFault) in
    let input = Array(bytes)
    if let again = SlotParametersInput.rewritten(token: input) {
      try require(again == input, "a token's parameters have one form")
    }
    if let again = SlotParametersInput.rewritten(keyring: input) {
      try require(again == input, "a keyring's parameters have one form")
    }
    if let passkey = PasskeyParameters(input) { try require(passkey.bytes == input, "a passkey's parameters have one form") }
  }
}
