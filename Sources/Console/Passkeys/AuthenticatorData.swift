import Ciphers
import Encodings

/// What an authenticator reports about itself and the ceremony (WebAuthn level 3, section 6.1).
struct AuthenticatorData: Equatable {
  /// SHA-256 of the relying party's id.
  let partyHash: Bytes32
  let flags: Flags
  /// How often the key was used. 0 when the authenticator does not count.
  let count: UInt32
  /// The new key, in a registration.
  let credential: Credential?

  struct Flags: OptionSet {
    let rawValue: UInt8
    /// Somebody touched the authenticator.
    static let present = Flags(rawValue: 1)
    /// The authenticator verified its owner by finger, face or PIN.
    static let verified = Flags(rawValue: 4)
    static let mayBeBackedUp = Flags(rawValue: 8)
    static let isBackedUp = Flags(rawValue: 16)
    static let hasCredential = Flags(rawValue: 64)
    static let hasExtensions = Flags(rawValue: 128)
  }

  struct Credential: Equatable {
    /// 1 to 1023 bytes.
    let id: [UInt8]
    let key: P256.PublicKey
  }

  /// The longest id, in bytes (section 5.8.3).
  static let longestID = 1023

  /// - Parameter bytes: untrusted input.
  init(_ bytes: ArraySlice<UInt8>) throws(PasskeyError) {
    var reader = ByteReader(bytes)
    guard let hash = reader.bytes32(), let flags = reader.byte(), let count: UInt32 = reader.integer() else {
      throw .authenticatorDataMalformed
    }
    (partyHash, self.flags, self.count) = (hash, Flags(rawValue: flags), count)
    credential = self.flags.contains(.hasCredential) ? try Self.credential(&reader) : nil
    if self.flags.contains(.hasExtensions) {
      guard let (extensions, rest) = try? CBORReader.first(reader.rest), case .map = extensions else {
        throw .authenticatorDataMalformed
      }
      reader = ByteReader(rest)
    }
    guard reader.isAtEnd else { throw .authenticatorDataMalformed }
  }

  private static func credential(_ reader: inout ByteReader) throws(PasskeyError) -> Credential {
    // The AAGUID, 16 bytes, names the model. It was not requested and is not stored.
    guard reader.take(16) != nil, let length: UInt16 = reader.integer(), (1...longestID).contains(Int(length)),
      let id = reader.take(Int(length)), let (key, rest) = try? CBORReader.first(reader.rest)
    else { throw .authenticatorDataMalformed }
    reader = ByteReader(rest)
    return Credential(id: Array(id), key: try publicKey(key))
  }

  /// A COSE key (RFC 9053, 7.1.1): EC2, ES256, P-256, and exactly the five members that CTAP2 allows.
  private static func publicKey(_ key: CBORReader.Value) throws(PasskeyError) -> P256.PublicKey {
    guard case .map(let entries) = key, key[3] == .negative(6) else { throw .keyOfAnotherKind }
    guard entries.count == 5, key[1] == .unsigned(2), key[-1] == .unsigned(1), let x = key[-2]?.bytes, let y = key[-3]?.bytes,
      let point = try? P256.PublicKey(x: x, y: y)
    else { throw .keyMalformed }
    return point
  }

  /// The checks for every use of a passkey: it belongs to this host, and its owner was present and verified.
  func check(party: String) throws(PasskeyError) {
    guard partyHash == SHA256.digest(of: Array(party.utf8)) else { throw .forAnotherHost }
    guard flags.contains(.present), flags.contains(.verified) else { throw .ownerNotVerified }
    guard !flags.contains(.isBackedUp) || flags.contains(.mayBeBackedUp) else { throw .authenticatorDataMalformed }
  }
}
