import JSON

/// Messages that signers exchange for owners, guardians and people who ask for a share: rumors (NIP-59) of a kind of
/// their own. They are sealed with an identity's key, which apps use, too. So the signer checks whatever an app has encrypted
/// or decrypted for such messages. See docs/GUARDIANS.md.
public enum SignerEnvelope {
  /// The kind of the rumor; never published as it is.
  public static let kind = 4139

  /// Whether a text is such a message or claims to be one: a JSON object in which any `kind` is 4139, however the number is
  /// written. A text that ends or cannot be read before its `kind` is not: no reader of these messages accepts it.
  public static func isOne(_ text: [UInt8]) -> Bool {
    text.withUnsafeBytes { bytes in (try? namesKind(bytes)) ?? false }
  }

  private static func namesKind(_ bytes: UnsafeRawBufferPointer) throws(JSONError) -> Bool {
    var reader = try JSONReader(bytes)
    try reader.beginObject()
    while let key = try reader.nextKey() {
      guard key.is("kind") else {
        try reader.skipValue()
        continue
      }
      if try isKind(&reader) { return true }
    }
    return false
  }

  // Readers of these messages also accept a text of digits as the kind, and some accept 4139.0 as 4139.
  private static func isKind(_ reader: inout JSONReader) throws(JSONError) -> Bool {
    switch try reader.peek() {
    case .number: return Double(try reader.readNumber().text) == Double(kind)
    case .string: return Double(try reader.readText().string) == Double(kind)
    default:
      try reader.skipValue()
      return false
    }
  }
}
