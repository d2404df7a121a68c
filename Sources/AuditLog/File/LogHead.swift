import Encodings

// `audit.head`, for docs/FORMATS.md: a checkpoint (Checkpoint.swift) with one to three extension lines: "resume " and the base 64 of
// LogPosition.bytes, what opening needs to go on without reading the log from its start; unless the log knows of none, "vault "
// and the base 64 of the vault's latest mark (VaultMark.bytes) and of the number of entries (8) up to which it is the latest: those
// behind could not be opened yet; and "quiet " and the base 64 of a number of entries (8): among these no wrong secret comes behind the
// last right one. Written anew (temporary name, fsync,
// rename, fsync of the folder) at creation, every 256 entries (under load at the latest every 8,192 and a batch) and at closing.

struct LogHead: Equatable {
  /// No head is longer, in bytes.
  static let maximumLength = 8192
  private static let resume = "resume "
  private static let vaultLine = "vault "
  private static let quietLine = "quiet "

  let position: LogPosition
  /// The latest state of the vault that the log knows of; nil in heads of earlier versions.
  let vault: VaultMark?
  /// The last entry that was searched for marks of the vault.
  let looked: UInt64
  /// Among the entries up to this one no wrong secret comes behind the last right one; 0 when that is not known.
  let quiet: UInt64

  /// - Parameter looked: nil for all entries.
  static func bytes(
    _ position: LogPosition, _ vault: VaultMark? = nil, looked: UInt64? = nil, quiet: UInt64 = 0, of header: LogHeader,
    by signer: LogSigner
  ) -> [UInt8]? {
    var checkpoint = Checkpoint(origin: header.origin, size: position.count, root: position.root)
    checkpoint.extensions = [resume + Base64.string(position.bytes)]
    if let vault {
      var bytes = vault.bytes
      bytes.append(bigEndian: min(looked ?? .max, position.count))
      checkpoint.extensions.append(vaultLine + Base64.string(bytes))
    }
    if quiet > 0 {
      var bytes: [UInt8] = []
      bytes.append(bigEndian: min(quiet, position.count))
      checkpoint.extensions.append(quietLine + Base64.string(bytes))
    }
    return checkpoint.signed(by: signer).map { Array($0.utf8) }
  }

  init(_ bytes: [UInt8], of header: LogHeader) throws(AuditIntegrityError) {
    guard bytes.count <= Self.maximumLength,
      let checkpoint = Checkpoint(bytes, origin: header.origin, signedBy: header.signingKey),
      let stored = Self.content(checkpoint.extensions.first, of: Self.resume)
    else { throw .damagedHead }
    var reader = ByteReader(stored[...])
    guard let position = LogPosition(&reader), reader.isAtEnd, position.count == checkpoint.size,
      position.root == checkpoint.root, position.count > 0 || position == header.start
    else { throw .damagedHead }
    self.position = position
    var lines = checkpoint.extensions.dropFirst()
    var (vault, looked, quiet): (VaultMark?, UInt64, UInt64) = (nil, position.count, 0)
    if let stored = Self.content(lines.first, of: Self.vaultLine) {
      var reader = ByteReader(stored[...])
      guard let mark = VaultMark(&reader), let count: UInt64 = reader.integer(), reader.isAtEnd else { throw .damagedHead }
      (vault, looked, lines) = (mark, count, lines.dropFirst())
    }
    if let stored = Self.content(lines.first, of: Self.quietLine) {
      var reader = ByteReader(stored[...])
      guard let count: UInt64 = reader.integer(), reader.isAtEnd else { throw .damagedHead }
      (quiet, lines) = (count, lines.dropFirst())
    }
    guard lines.isEmpty, looked <= position.count, quiet <= position.count else { throw .damagedHead }
    (self.vault, self.looked, self.quiet) = (vault, looked, quiet)
  }

  /// The rest of a line that begins with the word.
  private static func content(_ line: String?, of word: String) -> [UInt8]? {
    guard let line, line.hasPrefix(word) else { return nil }
    return Base64.decode(String(line.dropFirst(word.count)))
  }
}
