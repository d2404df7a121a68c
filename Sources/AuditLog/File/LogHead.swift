internal import Encodings

// `audit.head`, for docs/FORMATS.md: a checkpoint (Checkpoint.swift) with one or two extension lines: "resume " and the base 64 of
// LogPosition.bytes, what opening needs to go on without reading the log from its start; and, unless the log knows of none, "vault "
// and the base 64 of the vault's latest mark (VaultMark.bytes) and of the number of entries (8) up to which it is the latest: those
// behind could not be opened yet. Written anew (temporary name, fsync,
// rename, fsync of the folder) at creation, every 256 entries (under load at the latest every 8,192 and a batch) and at closing.

struct LogHead: Equatable {
  /// No head is longer, in bytes.
  static let maximumLength = 8192
  private static let resume = "resume "
  private static let vaultLine = "vault "

  let position: LogPosition
  /// The latest state of the vault that the log knows of; nil in heads of earlier versions.
  let vault: VaultMark?
  /// Entries up to this one were looked at for it.
  let looked: UInt64

  /// - Parameter looked: nil for all entries.
  static func bytes(
    _ position: LogPosition, _ vault: VaultMark? = nil, looked: UInt64? = nil, of header: LogHeader, by signer: LogSigner
  ) -> [UInt8]? {
    var checkpoint = Checkpoint(origin: header.origin, size: position.count, root: position.root)
    checkpoint.extensions = [resume + Base64.string(position.bytes)]
    if let vault {
      var bytes = vault.bytes
      bytes.append(bigEndian: min(looked ?? .max, position.count))
      checkpoint.extensions.append(vaultLine + Base64.string(bytes))
    }
    return checkpoint.signed(by: signer).map { Array($0.utf8) }
  }

  init(_ bytes: [UInt8], of header: LogHeader) throws(AuditFault) {
    guard bytes.count <= Self.maximumLength,
      let checkpoint = Checkpoint(bytes, origin: header.origin, signedBy: header.signingKey),
      let line = checkpoint.extensions.first, checkpoint.extensions.count <= 2, line.hasPrefix(Self.resume),
      let stored = Base64.decode(String(line.dropFirst(Self.resume.count)))
    else { throw .damagedHead }
    var reader = ByteReader(stored[...])
    guard let position = LogPosition(&reader), reader.isAtEnd, position.count == checkpoint.size,
      position.root == checkpoint.root, position.count > 0 || position == header.start
    else { throw .damagedHead }
    self.position = position
    guard checkpoint.extensions.count == 2 else {
      (vault, looked) = (nil, position.count)
      return
    }
    (vault, looked) = try Self.vault(checkpoint.extensions[1])
    guard looked <= position.count else { throw .damagedHead }
  }

  private static func vault(_ line: String) throws(AuditFault) -> (VaultMark, looked: UInt64) {
    guard line.hasPrefix(vaultLine), let stored = Base64.decode(String(line.dropFirst(vaultLine.count))) else {
      throw .damagedHead
    }
    var reader = ByteReader(stored[...])
    guard let mark = VaultMark(&reader), let looked: UInt64 = reader.integer(), reader.isAtEnd else { throw .damagedHead }
    return (mark, looked)
  }
}
