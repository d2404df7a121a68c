// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// What `holdfast proof verify` found.
public struct ProofChecked: Fields {
  public var isSound = false
  /// Nil for a sound proof.
  public var fault: String?
  public var log = ""
  /// Counted from 1; nil for a proof that the log only grew.
  public var sequence: Int64?
  /// Nil for a proof about an entry.
  public var from: Int64?
  public var fromRoot: String?
  public var size: Int64 = 0
  /// Whether the key came from the proof itself, so that the proof shows only that it fits together.
  public var isOwnKey = false

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.flag("ok", &isSound, "Whether the proof is sound.")
    try fields.text("fault", &fault, "What is wrong with the proof, in words; null when it is sound.")
    try fields.anyText("log", &log, "The name of the log.")
    try fields.integer("sequence", &sequence, "The number of the entry, from 1; null for a proof that the log only grew.")
    try fields.integer("from", &from, "How many entries the log had earlier; null for a proof about one entry.")
    try fields.text("from_root", &fromRoot, "The root of those entries, as the proof names it; compare it with yours.")
    try fields.integer("size", &size, "How many entries the log has by the signed head.")
    try fields.flag("key_from_proof", &isOwnKey, "Whether the key was taken from the proof, because no other was given.")
  }
}
