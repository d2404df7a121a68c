import Curve
import Encodings
import JSON

extension Event {
  /// Reads the JSON object of one event, which must fill the whole text.
  ///
  /// Strict: all seven fields, each once, hex in lower case, `created_at` and `kind` written as integers. Keys that NIP-01 does
  /// not know are passed over. Checks neither id nor signature.
  public init(parsing text: UnsafeRawBufferPointer, limits: EventLimits = .standard) throws(EventError) {
    var reader = try EventReader(text, limits)
    self = try Event(from: &reader)
    try reader.end()
  }

  /// As above.
  public init(parsing text: [UInt8], limits: EventLimits = .standard) throws(EventError) {
    self = try text.withUnsafeBufferPointer { (bytes) throws(EventError) in
      try Event(parsing: UnsafeRawBufferPointer(bytes), limits: limits)
    }
  }

  init(from reader: inout EventReader) throws(EventError) {
    var fields = EventFields()
    try reader.beginObject()
    while let key = try reader.nextKey() { try fields.read(key, &reader) }
    guard let id = fields.id else { throw .missing(.id) }
    guard let pubkey = fields.pubkey else { throw .missing(.pubkey) }
    guard let createdAt = fields.createdAt else { throw .missing(.createdAt) }
    guard let kind = fields.kind else { throw .missing(.kind) }
    guard let tags = fields.tags else { throw .missing(.tags) }
    guard let content = fields.content else { throw .missing(.content) }
    guard let signature = fields.signature else { throw .missing(.signature) }
    self.init(
      id: id, pubkey: PublicKey(pubkey), createdAt: createdAt, kind: kind, tags: tags, content: content, signature: signature)
  }
}

/// The fields found so far.
private struct EventFields {
  var id: Bytes32?
  var pubkey: Bytes32?
  var createdAt: Int64?
  var kind: Int?
  var tags: [[String]]?
  var content: String?
  var signature: Signature?

  mutating func read(_ key: JSONText, _ reader: inout EventReader) throws(EventError) {
    if key.is("content") {
      guard content == nil else { throw .duplicate(.content, at: key.offset) }
      content = try reader.content()
    } else if key.is("tags") {
      guard tags == nil else { throw .duplicate(.tags, at: key.offset) }
      tags = try reader.tags()
    } else if key.is("kind") {
      guard kind == nil else { throw .duplicate(.kind, at: key.offset) }
      kind = try reader.kind()
    } else if key.is("created_at") {
      guard createdAt == nil else { throw .duplicate(.createdAt, at: key.offset) }
      createdAt = try reader.time()
    } else if key.is("pubkey") {
      guard pubkey == nil else { throw .duplicate(.pubkey, at: key.offset) }
      pubkey = try reader.bytes32(.pubkey)
    } else if key.is("id") {
      guard id == nil else { throw .duplicate(.id, at: key.offset) }
      id = try reader.bytes32(.id)
    } else if key.is("sig") {
      guard signature == nil else { throw .duplicate(.signature, at: key.offset) }
      signature = try reader.signature()
    } else {
      try reader.skip()
    }
  }
}
