public import Curve
import Encodings
import JSON

/// The event that a client asks to have signed. It may lack its author, its time and its tags.
///
/// Clients differ in what they send (with or without `pubkey`, `id`, `sig`; the kind as a string), so reading is lenient where
/// nothing can be misunderstood, and strict where something could.
public struct EventTemplate: Hashable, Sendable {
  /// The author, if the client named one.
  public let pubkey: PublicKey?
  /// Whole seconds since 1970-01-01 UTC, if the client set them.
  public let createdAt: Int64?
  /// 0 to 65535.
  public let kind: Int
  /// Each a list of strings, the name first.
  public let tags: [[String]]
  /// Any text; the kind decides what it means.
  public let content: String

  /// A template of its parts. Does not check the ranges.
  public init(pubkey: PublicKey? = nil, createdAt: Int64? = nil, kind: Int, tags: [[String]] = [], content: String) {
    (self.pubkey, self.createdAt, self.kind, self.tags, self.content) = (pubkey, createdAt, kind, tags, content)
  }

  /// The event to sign. Takes the author given here; whether the client named another is for the caller to judge.
  /// - Parameter now: seconds since 1970, for a template without a time.
  public func unsigned(by author: PublicKey, now: Int64) -> UnsignedEvent {
    UnsignedEvent(pubkey: author, createdAt: createdAt ?? now, kind: kind, tags: tags, content: content)
  }
}

extension EventTemplate {
  /// Reads one JSON object that fills the whole text.
  ///
  /// `kind` and `content` must be there. `kind` may be an integer or a string of one. `pubkey` (64 hex digits, either case),
  /// `created_at` and `tags` may be missing or null. Any other key, `id` and `sig` among them, is passed over.
  public init(parsing text: UnsafeRawBufferPointer, limits: EventLimits = .standard) throws(EventError) {
    var reader = try EventReader(text, limits)
    var fields = TemplateFields()
    try reader.beginObject()
    while let key = try reader.nextKey() { try fields.read(key, &reader) }
    try reader.end()
    guard let kind = fields.kind else { throw .missing(.kind) }
    guard let content = fields.content else { throw .missing(.content) }
    self.init(pubkey: fields.pubkey, createdAt: fields.createdAt, kind: kind, tags: fields.tags ?? [], content: content)
  }

  /// As above.
  public init(parsing text: [UInt8], limits: EventLimits = .standard) throws(EventError) {
    self = try text.withUnsafeBufferPointer { (bytes) throws(EventError) in
      try EventTemplate(parsing: UnsafeRawBufferPointer(bytes), limits: limits)
    }
  }
}

/// The fields found so far. Those that may be null keep a mark that they were seen.
private struct TemplateFields {
  var pubkey: PublicKey?
  var createdAt: Int64?
  var kind: Int?
  var tags: [[String]]?
  var content: String?
  private var hasTags = false
  private var hasTime = false
  private var hasKey = false

  mutating func read(_ key: JSONText, _ reader: inout EventReader) throws(EventError) {
    if key.is("content") {
      guard content == nil else { throw .duplicate(.content, at: key.offset) }
      content = try reader.content()
    } else if key.is("kind") {
      guard kind == nil else { throw .duplicate(.kind, at: key.offset) }
      kind = try reader.lenientKind()
    } else if key.is("tags") {
      guard !hasTags else { throw .duplicate(.tags, at: key.offset) }
      hasTags = true
      tags = try reader.passedNull() ? nil : try reader.tags()
    } else if key.is("created_at") {
      guard !hasTime else { throw .duplicate(.createdAt, at: key.offset) }
      hasTime = true
      createdAt = try reader.passedNull() ? nil : try reader.time()
    } else if key.is("pubkey") {
      guard !hasKey else { throw .duplicate(.pubkey, at: key.offset) }
      hasKey = true
      pubkey = try reader.passedNull() ? nil : try reader.lenientKey()
    } else {
      try reader.skip()
    }
  }
}

extension EventReader {
  /// Whether there is a null here. If so, the cursor moves past it.
  fileprivate mutating func passedNull() throws(EventError) -> Bool {
    guard case .null = try peek() else { return false }
    try skip()
    return true
  }

  /// An integer, or a string of decimal digits.
  fileprivate mutating func lenientKind() throws(EventError) -> Int {
    guard case .string = try peek() else { return try kind() }
    let text = try text()
    let digits = text.bytes
    let isCanonical =
      !digits.isEmpty && digits.count <= 5 && digits.allSatisfy { $0 &- 0x30 < 10 } && (digits.count == 1 || digits[0] != 0x30)
    guard isCanonical, let kind = Int(String(decoding: digits, as: UTF8.self)), EventKind.range.contains(kind)
    else { throw .outOfRange(.kind, at: text.offset) }
    return kind
  }

  /// Hex in either case; an empty text is no key, as some apps write it.
  fileprivate mutating func lenientKey() throws(EventError) -> PublicKey? {
    let text = try text()
    if text.bytes.isEmpty { return nil }
    guard let key = Bytes32(hex: text.bytes) else { throw .notHex(.pubkey, at: text.offset) }
    return PublicKey(key)
  }
}
