import Curve
import Encodings
package import Vault

// The value of a record of kind identity (its id is the public key), for docs/FORMATS.md.
//
// Version 2: 2 (1) · origin (1) · created at (8) · flags (1): bit 1 a passphrase went into the words, bit 2 retired · fields in
// rising order, each tag (1) · length (2) · value. 1 name, UTF-8; 2 account (4); 3 words' id (32); 4 red, green, blue;
// 5 emoji, UTF-8; 6 a relay's address, ASCII, once for each; 7 notes, UTF-8; 8 NIP-49's security byte.
//
// Version 1, still read: 1 (1) · origin (1) · created at (8) · flags (1): bit 0 an account follows, bit 1 a passphrase went into the
// words · account (4) if so · name, UTF-8. The words' id is the public key.
//
// The class of the key is that of the key's own record and stands nowhere else.

extension Identity {
  private static let recordVersion: UInt8 = 2

  fileprivate enum Field: UInt8 { case name = 1, account, words, colour, emoji, relay, notes, keySecurity }

  var recordValue: [UInt8] {
    var bytes = [Self.recordVersion, origin.rawValue]
    bytes.append(bigEndian: createdAt)
    bytes.append((hasWordsPassphrase ? 2 : 0) | (isRetired ? 4 : 0))
    func put(_ field: Field, _ value: [UInt8]) {
      bytes.append(field.rawValue)
      bytes.append(bigEndian: UInt16(clamping: value.count))  // every field has a limit far below
      bytes += value
    }
    put(.name, Array(name.utf8))
    if let account {
      var number: [UInt8] = []
      number.append(bigEndian: account)
      put(.account, number)
    }
    if let words { put(.words, words.array) }
    if let colour = details.colour { put(.colour, [colour.red, colour.green, colour.blue]) }
    if let emoji = details.emoji { put(.emoji, Array(emoji.utf8)) }
    for relay in details.relays { put(.relay, Array(relay.utf8)) }
    if !details.notes.isEmpty { put(.notes, Array(details.notes.utf8)) }
    if let keySecurity { put(.keySecurity, [keySecurity]) }
    return bytes
  }

  /// Its class is still to be read from the key's record.
  /// - Returns: nil for anything that this program would not have written.
  package init?(_ record: Record) {
    guard record.id.count == 32, let key = Bytes32(record.id) else { return nil }
    switch record.value.first {
    case 1: self.init(version1: record.value, PublicKey(key), key)
    case 2: self.init(version2: record.value, PublicKey(key))
    default: return nil
    }
  }

  private init?(version1 bytes: [UInt8], _ publicKey: PublicKey, _ key: Bytes32) {
    var reader = ByteReader(bytes.dropFirst())
    guard let origin = reader.byte().flatMap(Origin.init), let createdAt: Int64 = reader.integer(), let flags = reader.byte(),
      flags < 4
    else { return nil }
    var account: UInt32?
    if flags & 1 == 1 {
      guard let number: UInt32 = reader.integer() else { return nil }
      account = number
    }
    guard let name = IdentityName.checked(Array(reader.rest)) else { return nil }
    self.init(
      name: name, publicKey: publicKey, createdAt: createdAt, origin: origin, account: account,
      hasWordsPassphrase: flags & 2 == 2, words: account == nil ? nil : key)
  }

  private init?(version2 bytes: [UInt8], _ publicKey: PublicKey) {
    var reader = ByteReader(bytes.dropFirst())
    guard let origin = reader.byte().flatMap(Origin.init), let createdAt: Int64 = reader.integer(), let flags = reader.byte(),
      flags & ~6 == 0, let fields = Self.fields(&reader), let name = fields.name
    else { return nil }
    self.init(
      name: name, publicKey: publicKey, createdAt: createdAt, origin: origin, account: fields.account,
      hasWordsPassphrase: flags & 2 == 2, words: fields.words, keySecurity: fields.keySecurity,
      details: fields.details)
    isRetired = flags & 4 == 4
  }

  fileprivate struct Fields {
    var name: String?
    var account: UInt32?
    var words: Bytes32?
    var keySecurity: UInt8?
    var details = IdentityDetails()
  }

  private static func fields(_ reader: inout ByteReader) -> Fields? {
    var fields = Fields()
    var (last, relays): (UInt8, [String]) = (0, [])
    while let tag = reader.byte() {
      guard let field = Field(rawValue: tag), tag > last || field == .relay && tag == last, let length: UInt16 = reader.integer(),
        let value = reader.take(Int(length)).map(Array.init)
      else { return nil }
      last = tag
      if field == .relay {
        guard let relay = String(validating: value, as: UTF8.self) else { return nil }
        relays.append(relay)
      } else if !fields.take(field, value) {
        return nil
      }
    }
    guard (try? fields.details.set(relays: relays)) != nil, fields.details.relays.count == relays.count else { return nil }
    return fields
  }
}

extension Identity.Fields {
  /// - Returns: false for a value that the field cannot have.
  fileprivate mutating func take(_ field: Identity.Field, _ value: [UInt8]) -> Bool {
    switch field {
    case .name:
      name = IdentityName.checked(value)
      return name != nil
    case .account:
      var reader = ByteReader(value[...])
      account = reader.integer()
      return account != nil && reader.isAtEnd
    case .words:
      words = Bytes32(value)
      return words != nil
    case .colour:
      guard value.count == 3 else { return false }
      details.set(colour: Colour(red: value[0], green: value[1], blue: value[2]))
      return true
    case .emoji:
      guard let text = String(validating: value, as: UTF8.self) else { return false }
      return (try? details.set(emoji: text)) != nil && details.emoji == text
    case .notes:
      guard let text = String(validating: value, as: UTF8.self) else { return false }
      return (try? details.set(notes: text)) != nil && details.notes == text
    case .keySecurity:
      guard value.count == 1, value[0] < 3 else { return false }
      keySecurity = value[0]
      return true
    case .relay: return false  // gathered by the caller
    }
  }
}
