/// The method of a request, as in NIP-46.
public enum RequestMethod: String, Word {
  case connect
  case signEvent = "sign_event"
  case ping
  case getPublicKey = "get_public_key"
  case nip04Encrypt = "nip04_encrypt"
  case nip04Decrypt = "nip04_decrypt"
  case nip44Encrypt = "nip44_encrypt"
  case nip44Decrypt = "nip44_decrypt"
  case switchRelays = "switch_relays"
  case logout
  /// Older: the names of the methods that the signer knows.
  case describe
  /// Older: the relays of the session.
  case getRelays = "get_relays"
  /// Older name of `logout`.
  case disconnect
  /// In the log only; it is always refused.
  case createAccount = "create_account"
  /// In the log only: an unknown method.
  case other
}
