import Ciphers
public import Curve
public import Encodings
import JSON

/// An event before it is signed (NIP-01).
public struct UnsignedEvent: Sendable {
  /// The author.
  public let pubkey: PublicKey
  /// Whole seconds since 1970-01-01 UTC, not negative.
  public let createdAt: Int64
  /// 0 to 65535.
  public let kind: Int
  /// Each a list of strings, the name first.
  public let tags: [[String]]
  /// Any text; the kind decides what it means.
  public let content: String

  /// Does not check the ranges. Read outside input with `EventTemplate`, which does.
  public init(pubkey: PublicKey, createdAt: Int64, kind: Int, tags: [[String]] = [], content: String = "") {
    (self.pubkey, self.createdAt, self.kind, self.tags, self.content) = (pubkey, createdAt, kind, tags, content)
  }

  /// The JSON text `[0,pubkey,created_at,kind,tags,content]` whose hash is the id: UTF-8, no white space.
  /// - SeeAlso: `JSONWriter` for the escapes.
  public func canonicalForm() -> [UInt8] {
    CanonicalForm.bytes(pubkey: pubkey, createdAt: createdAt, kind: kind, tags: tags, content: content)
  }

  /// The event id: SHA-256 of `canonicalForm()`.
  public func id() -> Bytes32 { SHA256.digest(of: canonicalForm()) }

  /// The event with id and signature.
  ///
  /// Does not check that the key belongs to `pubkey`. With another key the signature is invalid.
  /// - Parameter auxiliary: 32 bytes; fresh randomness unless a test needs a fixed one.
  /// - Throws: `.signingFailed`, which does not happen with a valid key.
  public func signed(by key: KeyPair, auxiliary: Bytes32 = .fresh()) throws(CurveError) -> Event {
    let id = id()
    return Event(
      id: id, pubkey: pubkey, createdAt: createdAt, kind: kind, tags: tags, content: content,
      signature: try key.sign(id, auxiliary: auxiliary))
  }
}

/// The bytes whose hash is the event's id.
enum CanonicalForm {
  static func bytes(pubkey: PublicKey, createdAt: Int64, kind: Int, tags: [[String]], content: String) -> [UInt8] {
    var writer = JSONWriter(reserving: 128 + EventSize.estimate(tags: tags, content: content))
    writer.beginArray()
    writer.integer(0)
    pubkey.bytes.withUnsafeBytes { writer.hex($0) }
    writer.integer(createdAt)
    writer.integer(kind)
    writer.tags(tags)
    writer.string(content)
    writer.endArray()
    return writer.bytes
  }
}

/// A guess at the length in bytes, to reserve memory once.
enum EventSize {
  static func estimate(tags: [[String]], content: String) -> Int {
    var size = content.utf8.count &+ content.utf8.count / 16
    for tag in tags {
      for item in tag { size &+= item.utf8.count &+ 3 }
      size &+= 3
    }
    return size
  }
}

extension JSONWriter {
  mutating func tags(_ tags: [[String]]) {
    beginArray()
    for tag in tags {
      beginArray()
      for item in tag { string(item) }
      endArray()
    }
    endArray()
  }
}
