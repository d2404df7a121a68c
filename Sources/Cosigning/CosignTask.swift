import Ciphers
public import Curve
public import Encodings
public import Nostr
public import SecretMemory
public import Threshold

/// What the members of a group are asked to do together.
public enum CosignTask: Sendable {
  /// Sign an event of the group's key.
  case sign(UnsignedEvent)
  /// Compute the secret between the group's key and another one, with which messages between both are encrypted and decrypted (NIP-44,
  /// NIP-04). Who has the secret reads all of them, so a member treats it as a request to decrypt, under the same rules and limits.
  case sharedSecret(PublicKey)

  /// What a request is for, in 32 bytes: two requests with one request number must be for the same. For an event this is its id.
  var id: Bytes32 {
    switch self {
    case .sign(let event): event.id()
    case .sharedSecret(let peer): peer.bytes.withUnsafeBytes { SHA256.tagged("holdfast/cosigning/secret", $0) }
    }
  }
}

/// A member's part of what the group does together.
public enum CosignPart: Sendable {
  /// Of a signature, 32 bytes.
  case signature(Bytes32)
  /// Of a shared secret. It is as secret as a message.
  case secret(SharedSecretPart)

  /// 32 or 97 bytes.
  public var bytes: [UInt8] {
    switch self {
    case .signature(let part): part.array
    case .secret(let part): part.bytes
    }
  }

  /// - Returns: nil for anything but 32 bytes, or 97 that begin with a point.
  public init?(_ bytes: [UInt8]) {
    if let part = Bytes32(bytes) {
      self = .signature(part)
    } else if let part = SharedSecretPart(bytes) {
      self = .secret(part)
    } else {
      return nil
    }
  }
}

/// What the group did.
public enum CosignResult: Sendable {
  /// The event with a valid signature.
  case signed(Event)
  /// The x coordinate of the shared point, 32 bytes, as NIP-44 and NIP-04 take it.
  case secret(SecretBox)
}
