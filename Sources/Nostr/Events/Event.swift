import Ciphers
public import Curve
public import Encodings
public import JSON

/// A signed event (NIP-01). Reading one checks its form only; `verify()` checks id and signature.
public struct Event: Sendable {
  /// SHA-256 of the canonical form, if the event is honest.
  public let id: Bytes32
  /// The author.
  public let pubkey: PublicKey
  /// Whole seconds since 1970-01-01 UTC.
  public let createdAt: Int64
  /// 0 to 65535.
  public let kind: Int
  /// Each a list of strings, the name first.
  public let tags: [[String]]
  /// Any text; the kind decides what it means.
  public let content: String
  /// BIP-340, over the id.
  public let signature: Signature

  /// An event of its parts. Checks nothing.
  public init(
    id: Bytes32, pubkey: PublicKey, createdAt: Int64, kind: Int, tags: [[String]], content: String, signature: Signature
  ) {
    (self.id, self.pubkey, self.createdAt, self.kind) = (id, pubkey, createdAt, kind)
    (self.tags, self.content, self.signature) = (tags, content, signature)
  }

  /// Whether the id is the hash of the other fields.
  public var hasCorrectID: Bool {
    SHA256.digest(
      of: CanonicalForm.bytes(pubkey: pubkey, createdAt: createdAt, kind: kind, tags: tags, content: content)) == id
  }

  /// Whether the signature is the author's over the id. Does not check the other fields. Costs about 52 µs.
  public var hasValidSignature: Bool { Schnorr.isValid(signature, of: id, by: pubkey) }

  /// Checks id, then signature.
  /// - Throws: `.wrongID`, `.invalidSignature`.
  public func verify() throws(EventError) {
    guard hasCorrectID else { throw .wrongID }
    guard hasValidSignature else { throw .invalidSignature }
  }

  /// The event without id and signature.
  public var unsigned: UnsignedEvent {
    UnsignedEvent(pubkey: pubkey, createdAt: createdAt, kind: kind, tags: tags, content: content)
  }

  /// The value of the first tag of that name: its second item. Nil when there is no such tag, or it has no value.
  public func firstTag(_ name: String) -> String? { tags.first { $0.count > 1 && isSame($0[0], name) }?[1] }

  /// The values of all tags of that name.
  public func tagValues(_ name: String) -> [String] {
    tags.compactMap { $0.count > 1 && isSame($0[0], name) ? $0[1] : nil }
  }

  /// The event as a JSON object, in the order id, pubkey, created_at, kind, tags, content, sig.
  public func json() -> [UInt8] {
    var writer = JSONWriter(reserving: estimatedSize)
    write(to: &writer)
    return writer.bytes
  }

  /// Appends the event to the writer as a JSON object.
  public func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("id" as StaticString)
    id.withUnsafeBytes { writer.hex($0) }
    writer.key("pubkey" as StaticString)
    pubkey.bytes.withUnsafeBytes { writer.hex($0) }
    writer.key("created_at" as StaticString)
    writer.integer(createdAt)
    writer.key("kind" as StaticString)
    writer.integer(kind)
    writer.key("tags" as StaticString)
    writer.tags(tags)
    writer.key("content" as StaticString)
    writer.string(content)
    writer.key("sig" as StaticString)
    signature.withUnsafeBytes { writer.hex($0) }
    writer.endObject()
  }

  var estimatedSize: Int { 384 + EventSize.estimate(tags: tags, content: content) }
}

extension Event: Hashable {
  /// Whether all fields are equal, strings byte for byte: `==` of String takes é in one piece and in two for equal.
  public static func == (left: Event, right: Event) -> Bool {
    left.id == right.id && left.signature == right.signature && left.unsigned.canonicalForm() == right.unsigned.canonicalForm()
  }

  /// Hashes the id.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
