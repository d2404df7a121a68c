import Console

extension FuzzTarget {
  /// What authenticators and browsers send: CBOR, authenticator data, client data, credentials.
  static let passkeys = FuzzTarget("passkeys") { (input) throws(FuzzFault) in
    let bytes = [UInt8](input)
    PasskeyInput.read(bytes)
    if let again = PasskeyInput.rewritten(cbor: bytes) {
      try require(again == bytes, "CBOR that was taken was not in its one canonical form")
    }
  }
}
