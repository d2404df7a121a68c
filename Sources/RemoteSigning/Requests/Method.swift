/// The requests of NIP-46, with the older ones still met in the field.
public enum Method: String, Sendable, CaseIterable {
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
  /// Older: the names of the methods this signer knows.
  case describe
  /// Older: the relays of the session as a NIP-07 relay map.
  case getRelays = "get_relays"
  /// Older name of `logout`.
  case disconnect

  /// Whether a paired app may always ask this: it reveals nothing and signs nothing in the user's name.
  public var isAlwaysAllowed: Bool {
    switch self {
    case .connect, .ping, .getPublicKey, .switchRelays, .logout, .describe, .getRelays, .disconnect: true
    case .signEvent, .nip04Encrypt, .nip04Decrypt, .nip44Encrypt, .nip44Decrypt: false
    }
  }

  /// Whether it reads what was encrypted.
  public var isDecryption: Bool { self == .nip44Decrypt || self == .nip04Decrypt }

  /// How many parameters the method needs.
  var requiredParameters: Int {
    switch self {
    case .signEvent: 1
    case .nip04Encrypt, .nip04Decrypt, .nip44Encrypt, .nip44Decrypt: 2
    default: 0
    }
  }
}
