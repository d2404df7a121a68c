import Encodings

// As it lies in a vault's outbox, for docs/FORMATS.md: time (milliseconds since 1970-01-01 UTC, 8) ‖ body (AuditEntryCodec.swift).

extension AuditEntry {
  /// The entry in a form to keep elsewhere until the log has it, without the vault's mark.
  public var stored: [UInt8] {
    var (bytes, entry) = ([UInt8](), self)
    entry.vault = nil
    bytes.append(bigEndian: time)
    entry.write(to: &bytes)
    return bytes
  }

  /// - Returns: nil when the bytes are not as `stored` writes them.
  public init?(stored bytes: ArraySlice<UInt8>) {
    var reader = ByteReader(bytes)
    guard let time: Int64 = reader.integer() else { return nil }
    self.init(time: time, body: bytes.dropFirst(8))
  }
}
