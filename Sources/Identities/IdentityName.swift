import Curve
import Nostr

/// What an identity may be called.
enum IdentityName {
  /// In bytes of UTF-8.
  static let maximumLength = 64

  /// - Throws: `.nameNotAllowed` unless the name has 1 to 64 bytes, no control or line-breaking or direction-changing character, no
  ///   `/`, no space or `-` in front and no space behind, and could not be taken for a key.
  static func check(_ name: String) throws(IdentityError) {
    let scalars = name.unicodeScalars
    guard (1...maximumLength).contains(name.utf8.count), !scalars.contains(where: isForbidden) else { throw .nameNotAllowed }
    guard let first = scalars.first, let last = scalars.last, first != "-", first != " ", last != " " else {
      throw .nameNotAllowed
    }
    // A name that reads as a key would hide the identity with that key; and a secret key must never become a name.
    let lower = name.lowercased()
    guard PublicKey(npubOrHex: name) == nil, !lower.hasPrefix("nsec1"), !lower.hasPrefix("ncryptsec1") else {
      throw .nameNotAllowed
    }
  }

  /// - Returns: the name, nil for bytes that are no allowed one.
  static func checked(_ bytes: [UInt8]) -> String? {
    guard let name = String(validating: bytes, as: UTF8.self), (try? check(name)) != nil else { return nil }
    return name
  }

  private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: true
    // Joiners belong to emoji and to some scripts; the other format characters change what a reader sees.
    case .format: scalar.value != 0x200d && scalar.value != 0x200c
    default: scalar == "/"
    }
  }
}

extension Identities {
  /// - Throws: `.nameNotAllowed` for what no identity can be called.
  package static func checkName(_ name: String) throws(IdentityError) { try IdentityName.check(name) }
}
