package import Encodings

/// The state of the vault when the log was written. The signed head carries it, and so do sealed entries where it changed. A vault
/// whose own mark is lower is an older copy.
public struct VaultMark: Sendable, Hashable {
  /// Length of `digest` in bytes.
  public static let digestLength = 16
  /// Length of `bytes`.
  static let length = 16 + digestLength

  /// One more with each change that was written to the vault. 1 or more.
  public let revision: UInt64
  /// One more with each change of a slot or class key.
  public let generation: UInt64
  /// A digest of the vault's sealed summary, 16 bytes: two vaults of one revision are the same only if it is.
  public let digest: [UInt8]

  /// - Returns: nil for a revision of 0, or a digest of another length.
  public init?(revision: UInt64, generation: UInt64, digest: [UInt8]) {
    guard revision > 0, digest.count == Self.digestLength else { return nil }
    (self.revision, self.generation, self.digest) = (revision, generation, digest)
  }

  // revision 8 · generation 8 · digest 16, for docs/FORMATS.md
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(bigEndian: revision)
    bytes.append(bigEndian: generation)
    return bytes + digest
  }

  package init?(_ reader: inout ByteReader) {
    guard let revision: UInt64 = reader.integer(), let generation: UInt64 = reader.integer(),
      let digest = reader.take(Self.digestLength)
    else { return nil }
    self.init(revision: revision, generation: generation, digest: Array(digest))
  }

  /// The later of two.
  static func later(_ one: VaultMark?, _ other: VaultMark?) -> VaultMark? {
    guard let one else { return other }
    guard let other else { return one }
    return other.revision > one.revision ? other : one
  }
}

/// Gives the mark of the vault as it is on the disk now. In a struct: see `Locked`. Called on the thread that writes the log; must not wait.
public struct VaultMarks: Sendable {
  let now: @Sendable () -> VaultMark?

  /// - Parameter now: nil while the vault has no mark.
  public init(_ now: @escaping @Sendable () -> VaultMark?) { self.now = now }
}
