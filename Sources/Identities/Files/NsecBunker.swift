import Ciphers
import Encodings
import JSON
import SecretMemory

/// The configuration file of nsecbunkerd (`nsecbunker.json`).
///
/// Its member `keys` has a member for each key, by name: `{"key": nsec or hex}`, or `{"iv", "data"}` in hex: AES-256-CBC of the nsec
/// under SHA-256 of the passphrase. Nothing there is authenticated: a changed file shows as a wrong password, or as another key.
enum NsecBunker {
  struct Sealed {
    let iv: [UInt8]
    let data: [UInt8]

    func open(_ password: SecretBox?) throws(IdentityError) -> SecretBox {
      guard let password else { throw .badKey(.needsPassword) }
      return try keyStep(.badKey(.wrongPassword)) {
        let key = password.withBytes { SHA256.digest(of: $0) }
        var text = try key.withUnsafeBytes { key in try data.withUnsafeBytes { try AESCBC.decrypt($0, key: key, iv: iv) } }
        let secret = try SecretBytes(wiping: &text)
        // One wrong password in 256 leaves fitting padding: what is inside is no nsec then.
        guard secret.withBytes({ KeyText.hasPrefix($0, "nsec1") }) else { throw IdentityError.badKey(.wrongPassword) }
        return SecretBox(secret)
      }
    }
  }

  static func entries(in bytes: UnsafeRawBufferPointer) throws(IdentityError) -> [KeyExport.Entry] {
    var entries: [KeyExport.Entry] = []
    var json = try SecretJSON(bytes, .nsecBunker)
    try json.eachMember { json, key throws(IdentityError) in
      guard key.is("keys") else { return false }
      try json.eachMember { json, name throws(IdentityError) in
        entries.append(try entry(named: name.string, &json))
        return true
      }
      return true
    }
    try json.end()
    return entries
  }

  private static func entry(named name: String, _ json: inout SecretJSON) throws(IdentityError) -> KeyExport.Entry {
    var (iv, data): ([UInt8]?, [UInt8]?)
    var entry = KeyExport.Entry(name: name)
    try json.eachMember { json, key throws(IdentityError) in
      if key.is("key") {
        entry.content = try json.secret().map { .text($0) }
      } else if key.is("iv") {
        iv = try json.text().flatMap { Hex.decode($0) }
      } else if key.is("data") {
        data = try json.text().flatMap { Hex.decode($0) }
      } else {
        return false
      }
      return true
    }
    if entry.content == nil {
      guard let iv, let data, iv.count == AESCBC.ivLength else { throw .badKey(.file(.nsecBunker, "keys")) }
      entry.content = .bunker(Sealed(iv: iv, data: data))
    }
    return entry
  }
}
