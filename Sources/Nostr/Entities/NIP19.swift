public import Curve
public import Encodings

/// What people copy and paste (NIP-19): keys, events and addresses in bech32, without the secret ones.
///
/// Secret keys have functions of their own, because they must not pass through a value that can be copied and printed.
public enum NIP19: Hashable, Sendable {
  /// The most characters that are read or written, as NIP-19 recommends.
  public static let longestText = 5000

  /// `npub`
  case publicKey(PublicKey)
  /// `note`: an event id.
  case note(Bytes32)
  /// `nprofile`: a public key and relays where it may be found.
  case profile(PublicKey, relays: [String])
  /// `nevent`: an event id, relays, and perhaps author and kind.
  case event(Bytes32, relays: [String], author: PublicKey?, kind: Int?)
  /// `naddr`: the address of an event that can be replaced. The identifier is its `d` tag and may be empty.
  case address(identifier: String, author: PublicKey, kind: Int, relays: [String])

  /// Reads one text. Unknown records inside are passed over; relays are not looked at.
  /// - Parameter text: perhaps from a stranger.
  /// - Throws: the first fault found; `.isSecret` for `nsec` and `ncryptsec`, `.deprecated` for `nrelay`.
  public init(parsing text: UnsafeRawBufferPointer) throws(EntityError) {
    self = try Bech32.withBytes(in: text, limit: Self.longestText) { (prefix, bytes) throws(EntityError) in
      if prefix.equals("npub") { return .publicKey(PublicKey(try Self.bytes32(bytes))) }
      if prefix.equals("note") { return .note(try Self.bytes32(bytes)) }
      if prefix.equals("nprofile") { return try Self.readProfile(bytes) }
      if prefix.equals("nevent") { return try Self.readEvent(bytes) }
      if prefix.equals("naddr") { return try Self.readAddress(bytes) }
      if prefix.equals("nsec") || prefix.equals("ncryptsec") { throw EntityError.isSecret }
      throw prefix.equals("nrelay") ? EntityError.deprecated : .otherPrefix
    }
  }

  /// As above.
  public init(parsing text: String) throws(EntityError) {
    self = try withRaw(Array(text.utf8)) { (bytes) throws(EntityError) in try NIP19(parsing: bytes) }
  }

  /// The text, in lower case.
  /// - Throws: `.recordTooLong` for a relay or an identifier of more than 255 bytes, `.tooLong`.
  public func text() throws(EntityError) -> String {
    switch self {
    case .publicKey(let key): return key.npub
    case .note(let id): return Self.text("note", id.array)
    case .profile(let key, let relays):
      return try Self.checked("nprofile", Records.special(key.bytes.array) + Records.relays(relays))
    case .event(let id, let relays, let author, let kind):
      let records = try Records.special(id.array) + Records.relays(relays)
      return try Self.checked("nevent", records + Records.author(author) + Records.kind(kind))
    case .address(let identifier, let author, let kind, let relays):
      let records = try Records.special(Array(identifier.utf8)) + Records.relays(relays)
      return try Self.checked("naddr", records + Records.author(author) + Records.kind(kind))
    }
  }

  private static func bytes32(_ bytes: UnsafeRawBufferPointer) throws(EntityError) -> Bytes32 {
    guard let value = Bytes32(copying: bytes) else { throw .wrongLength(bytes.count) }
    return value
  }

  private static func checked(_ prefix: StaticString, _ bytes: [UInt8]) throws(EntityError) -> String {
    guard Bech32.encodedLength(prefix: prefix, count: bytes.count) <= longestText else { throw .tooLong(limit: longestText) }
    return text(prefix, bytes)
  }

  fileprivate static func text(_ prefix: StaticString, _ bytes: [UInt8]) -> String {
    let length = Bech32.encodedLength(prefix: prefix, count: bytes.count)
    return String(unsafeUninitializedCapacity: length) { target in
      bytes.withUnsafeBytes {
        Bech32.encode(
          $0, prefix: prefix, into: UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(target)[0..<length]))
      }
      return length
    }
  }
}

extension PublicKey {
  /// The key as `npub`, 63 characters.
  public var npub: String { NIP19.text("npub", bytes.array) }

  /// - Parameter text: an `npub`, or 64 hex digits in either case. Whether the key is a point is not checked.
  /// - Returns: nil for anything else.
  public init?(npubOrHex text: String) {
    if let key = PublicKey(hex: text) {
      self = key
    } else if case .publicKey(let key)? = try? NIP19(parsing: text) {
      self = key
    } else {
      return nil
    }
  }
}
