import Ciphers
import Encodings
import JSON

/// A passkey that may sign in. All of it is public.
struct Passkey: Sendable, Equatable {
  /// Its name in lists: 16 hex digits.
  var listID: String { Hex.encode(Array(SHA256.digest(of: credentialID).array.prefix(8))) }

  let credentialID: [UInt8]
  let key: P256.PublicKey
  /// The host that it belongs to.
  let party: String
  /// The user handle that the authenticator stores, the same for all passkeys of this vault; 32 random bytes.
  let userHandle: [UInt8]
  /// The owner's name for it.
  var name: String
  /// Seconds since 1970.
  let made: Int64
  var lastUsed: Int64?
  var count: UInt32

  /// The longest name, in characters.
  static let longestName = 64

  // The record, for docs/FORMATS.md: JSON of {"v":1,"id","key","party","user","name","made","used","count"}; bytes in base64url.
  var record: [UInt8] {
    let value: JSONValue = [
      "v": 1, "id": .string(Base64URL.string(credentialID)), "key": .string(Base64URL.string(key.bytes)),
      "party": .string(party), "user": .string(Base64URL.string(userHandle)), "name": .string(name), "made": .integer(made),
      "used": lastUsed.map { .integer($0) } ?? .null, "count": .integer(Int64(count)),
    ]
    return value.serialized()
  }
}

extension Passkey {
  /// - Returns: nil for anything that `record` does not write.
  init?(record: [UInt8]) {
    guard let value = try? JSONValue(parsing: record), value["v"]?.integer == 1,
      let id = value["id"]?.string.flatMap({ Base64URL.decode($0) }),
      let key = value["key"]?.string.flatMap({ Base64URL.decode($0) }), let point = try? P256.PublicKey(key),
      let party = value["party"]?.string, let user = value["user"]?.string.flatMap({ Base64URL.decode($0) }),
      let name = value["name"]?.string, let made = value["made"]?.integer,
      let count = value["count"]?.integer.flatMap({ UInt32(exactly: $0) })
    else { return nil }
    self.init(
      credentialID: id, key: point, party: party, userHandle: user, name: name, made: made, lastUsed: value["used"]?.integer,
      count: count)
  }

  /// A name as it is stored: without control characters and surrounding spaces. Nil when nothing is left.
  static func shownName(_ text: String) -> String? {
    let shown = text.unicodeScalars.filter { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
      default: true
      }
    }
    let words = String(String.UnicodeScalarView(shown)).split(separator: " ")
    let name = String(words.joined(separator: " ").prefix(longestName))
    return name.isEmpty ? nil : name
  }
}
