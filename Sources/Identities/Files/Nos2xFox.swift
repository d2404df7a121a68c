import Ciphers
import Encodings
import JSON
import SecretMemory

/// What the browser extension nos2x-fox exports of a profile.
///
/// One object: `privateKey`, `name`, `relays` (addresses with what they are for), `permissions`. The key is 64 hex digits; when the
/// extension is protected by a PIN it is the text of another object: `salt`, `iv` and `ciphertext` in base64, AES-256-GCM under
/// PBKDF2-HMAC-SHA256 of the PIN, 100,000 rounds, over the hex digits.
enum Nos2xFox {
  private static let rounds: Int32 = 100_000
  private static let saltLength = 16

  struct Sealed {
    let salt: [UInt8]
    let iv: [UInt8]
    let ciphertext: [UInt8]

    func open(_ password: SecretBox?) throws(IdentityError) -> SecretBox {
      guard let password else { throw .badKey(.needsPassword) }
      return try keyStep(.badKey(.wrongPassword)) {
        let key = try password.withBytes { password in
          try salt.withUnsafeBytes { SecretBox(try SHA256.pbkdf2(password: password, salt: $0, iterations: Nos2xFox.rounds)) }
        }
        return try key.withBytes { key in
          try ciphertext.withUnsafeBytes { SecretBox(try AESGCM.open($0, key: key, nonce: iv, associated: [])) }
        }
      }
    }
  }

  static func entry(in bytes: UnsafeRawBufferPointer) throws(IdentityError) -> KeyExport.Entry {
    var entry = KeyExport.Entry()
    var json = try SecretJSON(bytes, .nos2xFox)
    try json.eachMember { json, key throws(IdentityError) in
      if key.is("privateKey") {
        guard let text = try json.secret() else { throw IdentityError.badKey(.file(.nos2xFox, "privateKey")) }
        entry.content = try content(text)
      } else if key.is("name") {
        entry.name = try json.text()
      } else if key.is("relays") {
        guard (try? json.reader.peek()) == .object else { return false }
        try json.eachMember { _, relay throws(IdentityError) in
          entry.relays.append(relay.string)
          return false
        }
      } else {
        return false
      }
      return true
    }
    try json.end()
    return entry
  }

  private static func content(_ text: SecretBox) throws(IdentityError) -> KeyExport.Entry.Content {
    guard text.withBytes({ $0.first }) == UInt8(ascii: "{") else { return .text(text) }
    var (salt, iv, ciphertext): ([UInt8]?, [UInt8]?, [UInt8]?)
    try text.withBytes { bytes throws(IdentityError) in
      var json = try SecretJSON(bytes, .nos2xFox)
      try json.eachMember { json, key throws(IdentityError) in
        if key.is("salt") {
          salt = try json.text().flatMap { Base64.decode($0) }
        } else if key.is("iv") {
          iv = try json.text().flatMap { Base64.decode($0) }
        } else if key.is("ciphertext") {
          ciphertext = try json.text().flatMap { Base64.decode($0) }
        } else {
          return false
        }
        return true
      }
      try json.end()
    }
    guard let salt, let iv, let ciphertext, salt.count == saltLength, iv.count == AESGCM.nonceLength else {
      throw .badKey(.file(.nos2xFox, "privateKey"))
    }
    return .fox(Sealed(salt: salt, iv: iv, ciphertext: ciphertext))
  }
}
