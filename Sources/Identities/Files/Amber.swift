import Curve
import JSON
import Nostr
import SecretMemory

/// What Amber, the Android signer, exports.
///
/// "Export all accounts" writes a `.jsonl` file with an object on each line: `npub`, `name`, `nsec` (an ncryptsec), `seedWords`
/// (NIP-44 by the key to itself, or empty), `signPolicy`, `picture`, `didBackup`. Earlier versions wrote one object with `version`,
/// `exportDate`, `accountCount` and the list `accounts` of such objects. Its other exports, nsec, ncryptsec and words, are texts.
enum Amber {
  static func entries(in bytes: UnsafeRawBufferPointer) throws(IdentityError) -> [KeyExport.Entry] {
    var entries: [KeyExport.Entry] = []
    for line in bytes.split(separator: 0x0a) {
      let line = KeyText.trimmed(UnsafeRawBufferPointer(rebasing: line))
      guard !line.isEmpty else { continue }
      var json = try SecretJSON(line, .amber)
      entries += try accounts(&json)
      try json.end()
      guard entries.count <= KeyExport.mostKeys else { throw .badKey(.file(.amber, "the number of accounts")) }
    }
    return entries
  }

  private static func accounts(_ json: inout SecretJSON) throws(IdentityError) -> [KeyExport.Entry] {
    var (one, several): (KeyExport.Entry, [KeyExport.Entry]) = (KeyExport.Entry(), [])
    try json.eachMember { json, key throws(IdentityError) in
      if key.is("accounts") {
        try json.eachElement { json throws(IdentityError) in
          guard several.count < KeyExport.mostKeys else { throw IdentityError.badKey(.file(.amber, "the number of accounts")) }
          several.append(try account(&json))
        }
        return true
      }
      return try take(key, &json, &one)
    }
    return several + (one.content == nil && one.publicKey == nil ? [] : [one])
  }

  private static func account(_ json: inout SecretJSON) throws(IdentityError) -> KeyExport.Entry {
    var entry = KeyExport.Entry()
    try json.eachMember { json, key throws(IdentityError) in try take(key, &json, &entry) }
    return entry
  }

  private static func take(
    _ key: JSONText, _ json: inout SecretJSON, _ entry: inout KeyExport.Entry
  ) throws(IdentityError) -> Bool {
    if key.is("npub") {
      guard let npub = try json.text(), let key = PublicKey(npubOrHex: npub) else { throw .badKey(.file(.amber, "npub")) }
      entry.publicKey = key
    } else if key.is("name") {
      entry.name = try json.text()
    } else if key.is("nsec") {
      entry.content = try json.secret().map { .text($0) }
    } else if key.is("seedWords") {
      entry.sealedWords = try json.text().map { Array($0.utf8) } ?? []
    } else {
      return false
    }
    return true
  }
}
