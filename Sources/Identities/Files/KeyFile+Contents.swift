import Ciphers
import Curve
import Encodings
import JSON
import Nostr
import SecretMemory

// What stands inside, for docs/FORMATS.md: a JSON object. `name`, `createdAt` of the identity (seconds), `security` (NIP-49's byte),
// `colour`, `emoji`, `relays`, `notes` where there are such; `account` and `wordsPassphrase` with `words`; `secretKey` (64 hex digits).

extension KeyFile {
  /// The text inside, put together in guarded memory.
  static func contents(
    _ identity: Identity, _ key: borrowing SecretKey, _ words: SecretBox?, _ security: NIP49.Security
  ) throws(IdentityError) -> SecretBytes {
    var members: [JSONValue.Member] = [
      .init("name", .string(identity.name)), .init("createdAt", .integer(identity.createdAt)),
      .init("security", .integer(Int64(security.rawValue))),
    ]
    let details = identity.details
    if let colour = details.colour { members.append(.init("colour", .string(colour.text))) }
    if let emoji = details.emoji { members.append(.init("emoji", .string(emoji))) }
    if !details.relays.isEmpty { members.append(.init("relays", .array(details.relays.map { .string($0) }))) }
    if !details.notes.isEmpty { members.append(.init("notes", .string(details.notes))) }
    if words != nil, let account = identity.account {
      members.append(.init("account", .integer(Int64(account))))
      members.append(.init("wordsPassphrase", .bool(identity.hasWordsPassphrase)))
    }
    let head = JSONValue.object(members).serialized().dropLast() + Array(#","secretKey":""#.utf8)
    let (middle, tail) = (Array((words == nil ? "" : #"","words":""#).utf8), Array(#""}"#.utf8))
    let count = head.count + 64 + middle.count + (words?.count ?? 0) + tail.count
    return try keyStep(.outOfMemory) {
      try SecretBytes(count: count) { (target) throws(Never) in
        var rest = target[...]
        func put(_ bytes: some Collection<UInt8>) {
          UnsafeMutableRawBufferPointer(rebasing: rest.prefix(bytes.count)).copyBytes(from: bytes)
          rest = rest.dropFirst(bytes.count)
        }
        put(head)
        key.withBytes { key in
          Hex.write(key, to: UnsafeMutableRawBufferPointer(rebasing: rest.prefix(64)).bindMemory(to: UInt8.self))
        }
        rest = rest.dropFirst(64)
        put(middle)
        // The words of a list hold nothing that JSON would escape.
        words?.withBytes { put($0) }
        put(tail)
      }
    }
  }

  /// Opens the file and reads what is inside.
  func key(_ help: ImportHelp) throws(IdentityError) -> KeyText {
    guard let password = help.password else { throw .badKey(.needsPassword) }
    return try open(password).withBytes { bytes throws(IdentityError) in try Self.key(inside: bytes) }
  }

  /// Reads what is inside.
  static func key(inside bytes: UnsafeRawBufferPointer) throws(IdentityError) -> KeyText {
    var parts = Contents()
    var json = try SecretJSON(bytes, .keyFile)
    try json.eachMember { json, key throws(IdentityError) in try parts.take(key, &json) }
    guard let secret = parts.secretKey else { throw .badKey(.file(.keyFile, "secretKey")) }
    var found = KeyText(
      try secret.withBytes { hex throws(IdentityError) in try KeyText.key(hex: hex, of: .keyFile) }, .importedKeyFile)
    (found.security, found.details) = (parts.security, parts.details)
    if let words = parts.words, let account = parts.account {
      (found.words, found.account, found.hasPassphrase) = (words, account, parts.hasPassphrase)
    }
    return found
  }

  private struct Contents {
    var secretKey, words: SecretBox?
    var account: UInt32?
    var hasPassphrase = false
    var security: NIP49.Security?
    var details = IdentityDetails()

    mutating func take(_ key: JSONText, _ json: inout SecretJSON) throws(IdentityError) -> Bool {
      if key.is("secretKey") {
        secretKey = try json.secret()
      } else if key.is("words") {
        words = try json.secret()
      } else if key.is("account") {
        guard let number = UInt32(exactly: try json.integer()), number < 1 << 31 else {
          throw .badKey(.file(.keyFile, "account"))
        }
        account = number
      } else if key.is("wordsPassphrase") {
        hasPassphrase = try json.bool()
      } else if key.is("security") {
        security = UInt8(exactly: try json.integer()).flatMap(NIP49.Security.init)
      } else if key.is("colour") {
        details.set(colour: try json.text().flatMap { try? Colour($0) })
      } else if key.is("emoji") {
        let emoji = try json.text()
        try? details.set(emoji: emoji)
      } else if key.is("notes") {
        if let notes = try json.text() { try? details.set(notes: notes) }
      } else if key.is("relays") {
        var relays: [String] = []
        try json.eachElement { json throws(IdentityError) in
          if let relay = try json.text(), relays.count < IdentityDetails.mostRelays { relays.append(relay) }
        }
        try? details.set(relays: relays)
      } else {
        return false
      }
      return true
    }
  }
}
