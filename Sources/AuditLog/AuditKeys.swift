import Ciphers
public import Encodings
public import SecretMemory

/// The keys of a log: one that seals entries, whose secret half only the unlocked owner has, and one that signs heads.
public struct AuditKeys: Sendable {
  /// Lends the secret half of the sealing key, 32 bytes, while the vault is unlocked. In a struct: see `Locked`.
  struct Reading: Sendable { let key: @Sendable () -> SecretBox? }

  /// The public key to which entries are sealed. Not a secret.
  public let sealingKey: Bytes32
  let signer: LogSigner
  let reading: Reading

  /// - Parameters:
  ///   - sealing: the secret half of the sealing key, 32 random bytes. It is not kept.
  ///   - signing: the seed of the signing key, 32 random bytes. It stays in memory as long as the log is open.
  ///   - reading: returns the secret half each time entries are read; nil while locked.
  /// - Returns: nil for secrets of another length.
  public init?(
    sealing: borrowing SecretBytes, signing: SecretBox, reading: @escaping @Sendable () -> SecretBox?
  ) {
    guard let sealingKey = try? sealing.withBytes({ try SealedBox.publicKey(of: $0) }), let signer = LogSigner(seed: signing)
    else {
      return nil
    }
    (self.sealingKey, self.signer, self.reading) = (sealingKey, signer, Reading(key: reading))
  }

  /// The keys for a start while the secret half is not available.
  /// - Returns: nil for a seed of another length.
  public init?(sealingKey: Bytes32, signing: SecretBox, reading: @escaping @Sendable () -> SecretBox?) {
    guard let signer = LogSigner(seed: signing) else { return nil }
    (self.sealingKey, self.signer, self.reading) = (sealingKey, signer, Reading(key: reading))
  }
}

/// How far the log went at the last check. It is kept in the vault, which nobody changes by writing to the log's folder.
public struct AuditAnchor: Sendable, Equatable {
  /// SHA-256 of the log's header, in which its keys are named: 32 bytes.
  public let log: Bytes32
  let position: LogPosition

  /// Number of entries.
  public var count: UInt64 { position.count }
  /// Root of the tree over them, 32 bytes.
  public var root: Bytes32 { position.root }

  // log's header digest 32 · the position (LogPosition.bytes)
  /// For storing: 81 bytes and 32 for each 1 in the binary form of `count`.
  public var bytes: [UInt8] { log.array + position.bytes }

  init(log: Bytes32, position: LogPosition) { (self.log, self.position) = (log, position) }

  /// - Returns: nil for anything that `bytes` did not write.
  public init?(_ bytes: [UInt8]) {
    var reader = ByteReader(bytes[...])
    guard let log = reader.bytes32(), let position = LogPosition(&reader), reader.isAtEnd else { return nil }
    self.init(log: log, position: position)
  }
}
