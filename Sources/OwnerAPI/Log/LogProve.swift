// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Proves that an entry is in the log, or that the log has only grown.
public enum LogProve: OwnerOperation {
  public static let properties = OperationProperties.look(
    "log/prove", "Prove that an entry is in the log, or that the log has only grown.", from: .session, lane: .reading)

  /// One of the two. If both are given, `from` is used.
  public struct Request: Fields {
    public var sequence: Int64?
    public var from: Int64?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.integer("sequence", &sequence, "The number of the entry.")
      try fields.integer("from", &from, "An earlier number of entries, to prove that the log still begins with them.")
    }
  }

  /// One of the two.
  public struct Response: Fields {
    public var entry: EntryProof?
    public var growth: GrowthProof?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.part(&entry, knownBy: "index")
      try fields.part(&growth, knownBy: "old_size")
    }
  }
}

/// Proves that an entry is in the log (RFC 6962, section 2.1.1). Hashes are 32 bytes in base64.
public struct EntryProof: Fields {
  /// The entry's index, counted from 0.
  public var index: Int64 = 0
  public var size: Int64 = 0
  /// Base64; nil when the content was dropped.
  public var leaf: String?
  public var leafHash = ""
  public var proof: [String] = []
  public var root = ""
  public var checkpoint = ""
  public var verifierKey = ""

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.integer("index", &index, "The entry's index in the log, counted from 0.")
    try fields.integer("size", &size, "How many entries the log has.")
    try fields.text("leaf", &leaf, "The encrypted entry in base64; null when its content was dropped.")
    try fields.anyText("leaf_hash", &leafHash, "The entry's hash, 32 bytes in base64.")
    try fields.texts("proof", &proof, "The hashes from the entry to the root, each 32 bytes in base64.")
    try fields.anyText("root", &root, "The root of the log's tree, 32 bytes in base64.")
    try fields.anyText("checkpoint", &checkpoint, "The signed head of the log.")
    try fields.anyText("vkey", &verifierKey, "The key that verifies the head.")
  }
}

/// Proves that the log begins with its earlier entries (RFC 6962, section 2.1.2). Hashes are 32 bytes in base64.
public struct GrowthProof: Fields {
  public var oldSize: Int64 = 0
  public var oldRoot = ""
  public var size: Int64 = 0
  public var proof: [String] = []
  public var root = ""
  public var checkpoint = ""
  /// Nil in proofs of earlier versions.
  public var verifierKey: String?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.integer("old_size", &oldSize, "The earlier number of entries.")
    try fields.anyText("old_root", &oldRoot, "The earlier root of the log's tree, 32 bytes in base64.")
    try fields.integer("size", &size, "The present number of entries.")
    try fields.texts("proof", &proof, "The hashes that lead from one root to the other, each 32 bytes in base64.")
    try fields.anyText("root", &root, "The present root of the log's tree, 32 bytes in base64.")
    try fields.anyText("checkpoint", &checkpoint, "The signed head of the log.")
    try fields.leftOut.text("vkey", &verifierKey, "The key that verifies the head.")
  }
}
