internal import Encodings

// `audit.head`, for docs/FORMATS.md: a checkpoint (Checkpoint.swift) with one extension line, "resume " and the base 64 of
// LogPosition.bytes: what opening needs to go on without reading the log from its start. Written anew (temporary name, fsync,
// rename, fsync of the folder) at creation, every 256 entries (under load at the latest every 8,192 and a batch) and at closing.

enum LogHead {
  /// No head is longer, in bytes.
  static let maximumLength = 8192
  private static let resume = "resume "

  static func bytes(_ position: LogPosition, of header: LogHeader, by signer: LogSigner) -> [UInt8]? {
    var checkpoint = Checkpoint(origin: header.origin, size: position.count, root: position.root)
    checkpoint.extensions = [resume + Base64.string(position.bytes)]
    return checkpoint.signed(by: signer).map { Array($0.utf8) }
  }

  static func position(_ bytes: [UInt8], of header: LogHeader) throws(AuditFault) -> LogPosition {
    guard bytes.count <= maximumLength, let checkpoint = Checkpoint(bytes, origin: header.origin, signedBy: header.signingKey),
      let line = checkpoint.extensions.first, checkpoint.extensions.count == 1, line.hasPrefix(resume),
      let stored = Base64.decode(String(line.dropFirst(resume.count)))
    else { throw .damagedHead }
    var reader = ByteReader(stored[...])
    guard let position = LogPosition(&reader), reader.isAtEnd, position.count == checkpoint.size,
      position.root == checkpoint.root, position.count > 0 || position == header.start
    else { throw .damagedHead }
    return position
  }
}
