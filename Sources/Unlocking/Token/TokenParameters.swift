import Ciphers
import Encodings
public import Vault

/// The unencrypted part of a token slot: the token and key, and the slot's secret wrapped for it. FORMATS.md defines the bytes.
public struct TokenParameters: Sendable, Equatable {
  /// How the token returns the wrapping key.
  public enum Method: Sendable, Equatable {
    /// P-256 ECDH with an ephemeral key: its public point, 65 bytes.
    case agreement(point: [UInt8])
    /// RSA-OAEP with SHA-256: the encrypted key, as long as the modulus.
    case decryption(box: [UInt8])
  }

  static let version: UInt8 = 1
  static let domain = "holdfast token slot 1"
  /// The longest RSA box, in bytes: a modulus of 3072 bits.
  static let maximumBoxLength = 384
  static let keyIDLength = 16

  /// The token: label, maker, model, serial number.
  public let token: TokenURI
  /// The driver's path. Empty for p11-kit's configuration.
  public let module: String
  /// The PAM service that is asked before the token. Empty for none.
  public let pamService: String
  let keyID: [UInt8]
  let method: Method
  let sealed: [UInt8]

  init(token: TokenURI, module: String, pamService: String, keyID: [UInt8], method: Method, sealed: [UInt8]) {
    (self.token, self.module, self.pamService) = (token, module, pamService)
    (self.keyID, self.method, self.sealed) = (keyID, method, sealed)
  }

  /// - Throws: `.corrupt` for anything that this version did not write.
  public init(_ bytes: [UInt8]) throws(KeyStoreError) {
    var reader = ByteReader(bytes[...])
    guard let version = reader.byte(), version == Self.version, let kind = reader.byte(),
      let uri = reader.text(limit: TokenURI.maximumLength), let module = reader.text(limit: ModuleFile.maximumLength),
      let pamService = reader.text(limit: PAMCheck.maximumServiceLength), let keyID = reader.take(Self.keyIDLength),
      let public_ = reader.field(limit: Self.maximumBoxLength), let sealed = reader.take(SlotWrap.length), reader.isAtEnd
    else { throw .corrupt("the token slot") }
    switch (kind, public_.count) {
    case (1, P256.pointLength): method = .agreement(point: public_)
    case (2, 256...Self.maximumBoxLength): method = .decryption(box: public_)
    default: throw .corrupt("the token slot")
    }
    guard pamService.isEmpty || PAMCheck.isName(pamService) else { throw .corrupt("the token slot") }
    (token, self.module, self.pamService) = (try TokenURI(uri), module, pamService)
    (self.keyID, self.sealed) = (Array(keyID), Array(sealed))
  }

  /// At most 1,024 bytes for every allowed URI and path.
  var bytes: [UInt8] { bound + sealed }

  /// Everything but the secret, which is bound to it.
  var bound: [UInt8] {
    var bytes: [UInt8] = [Self.version]
    let box: [UInt8]
    switch method {
    case .agreement(let point): (box, bytes) = (point, bytes + [1])
    case .decryption(let encrypted): (box, bytes) = (encrypted, bytes + [2])
    }
    bytes.append(field: Array(token.description.utf8))
    bytes.append(field: Array(module.utf8))
    bytes.append(field: Array(pamService.utf8))
    bytes += keyID
    bytes.append(field: box)
    return bytes
  }
}

extension ByteReader {
  /// A field with its two-byte length in front.
  mutating func field(limit: Int) -> [UInt8]? {
    guard let length: UInt16 = integer(), Int(length) <= limit else { return nil }
    return take(Int(length)).map(Array.init)
  }

  /// A field of UTF-8 without a zero byte.
  mutating func text(limit: Int) -> String? {
    guard let bytes = field(limit: limit), !bytes.contains(0) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }
}

extension [UInt8] {
  /// Appends a field with its length in front. The caller ensures that it fits.
  mutating func append(field: [UInt8]) {
    append(bigEndian: UInt16(clamping: field.count))
    self += field
  }
}
