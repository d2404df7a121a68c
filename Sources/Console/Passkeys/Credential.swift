import Ciphers
import Encodings
import JSON

/// What a browser sends after `navigator.credentials.create` (WebAuthn level 3, section 5.1): a new passkey.
struct NewCredential {
  let clientData: [UInt8]
  let data: AuthenticatorData
  let credential: AuthenticatorData.Credential

  /// The longest part, in bytes.
  static let longestPart = 16 * 1024

  /// The attestation statement is skipped: none was requested, and all manufacturers are accepted.
  init(_ json: JSONValue?) throws(PasskeyError) {
    guard json?["type"]?.string == "public-key", let id = json?.part("rawId"), let response = json?["response"],
      let clientData = response.part("clientDataJSON"), let attestation = response.part("attestationObject")
    else { throw .credentialMalformed }
    guard let object = try? CBORReader.value(attestation[...]), object["fmt"] != nil, object["attStmt"] != nil,
      let bytes = object["authData"]?.bytes
    else { throw .credentialMalformed }
    data = try AuthenticatorData(bytes)
    guard let credential = data.credential, credential.id == id else { throw .credentialMalformed }
    (self.clientData, self.credential) = (clientData, credential)
  }
}

/// What a browser sends after `navigator.credentials.get`: a signature by a passkey.
struct SignedChallenge {
  let credentialID: [UInt8]
  let clientData: [UInt8]
  let dataBytes: [UInt8]
  let data: AuthenticatorData
  let signature: P256.Signature
  let userHandle: [UInt8]?

  init(_ json: JSONValue?) throws(PasskeyError) {
    guard json?["type"]?.string == "public-key", let id = json?.part("rawId"), let response = json?["response"],
      let clientData = response.part("clientDataJSON"), let bytes = response.part("authenticatorData"),
      let signature = response.part("signature"), let der = try? P256.Signature(der: signature)
    else { throw .credentialMalformed }
    (credentialID, self.clientData, dataBytes, self.signature) = (id, clientData, bytes, der)
    userHandle = response.part("userHandle")
    data = try AuthenticatorData(bytes[...])
  }

  /// Whether the passkey's key signed exactly this data (section 7.2, steps 19 and 20).
  func isSigned(by key: P256.PublicKey) -> Bool {
    key.isValid(signature, ofMessage: dataBytes + SHA256.digest(of: clientData).array)
  }
}

extension JSONValue {
  /// The base64url bytes under a name. Nil when they are missing, malformed or too long.
  fileprivate func part(_ name: String) -> [UInt8]? {
    guard let text = self[name]?.string, text.utf8.count <= NewCredential.longestPart else { return nil }
    return Base64URL.decode(text)
  }
}
