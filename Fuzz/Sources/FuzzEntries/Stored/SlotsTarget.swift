import Unlocking
import Vault

extension FuzzTarget {
  /// What slots have in clear: a token's, a keyring's, a passkey's parameters. And a sealed `device.key`: its frame, and what a TPM
  /// gave, within it and raw.
  static let slots = FuzzTarget("slots") { (bytes) throws(FuzzFault) in
    let input = Array(bytes)
    if let again = SlotParametersInput.rewritten(token: input) {
      try require(again == input, "a token's parameters have one form")
    }
    if let again = SlotParametersInput.rewritten(keyring: input) {
      try require(again == input, "a keyring's parameters have one form")
    }
    try checkBlob(input)
    if let contents = try? SealedDeviceKey.contents(of: input) {
      try require(input.count <= 1024 && contents.count <= SealedDeviceKey.maximumContents, "a sealed file is short")
      try checkBlob(contents)
    }
    if let passkey = PasskeyParameters(input) { try require(passkey.bytes == input, "a passkey's parameters have one form") }
  }

  private static func checkBlob(_ bytes: [UInt8]) throws(FuzzFault) {
    if let blob = try? TPMBlob(parsing: bytes) { try require(blob.bytes == bytes, "what a TPM gave has one form") }
  }
}
