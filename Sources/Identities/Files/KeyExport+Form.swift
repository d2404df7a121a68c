import JSON

extension KeyExport {
  /// Which file this is, by its first bytes or by the members of its first object; nil for no known one.
  static func form(of bytes: UnsafeRawBufferPointer) -> KeyForm? {
    if KeepBackup.isOne(bytes) { return .keep }
    guard bytes.first == UInt8(ascii: "{"), let members = try? Members(bytes) else { return nil }
    if members.has("encrypted"), members.has("kdf") { return .keyFile }
    if members.has("npub") && members.has("nsec") || members.has("accounts") && members.has("accountCount") { return .amber }
    if members.has("privateKey") { return .nos2xFox }
    return members.has("keys") && members.has("nostr") ? .nsecBunker : nil
  }

  /// The names in an object, without its values.
  private struct Members {
    private var names: [String] = []

    init(_ bytes: UnsafeRawBufferPointer) throws(JSONError) {
      var reader = try JSONReader(bytes)
      try reader.beginObject()
      while let key = try reader.nextKey() {
        if names.count < 64, key.count < 64 { names.append(key.string) }
        try reader.skipValue()
      }
    }

    func has(_ name: String) -> Bool { names.contains(name) }
  }
}
