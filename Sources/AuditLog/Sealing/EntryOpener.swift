import Ciphers
import Encodings
import SecretMemory

/// Opens records with the secret half of the sealing key. Records of an epoch are opened in order, or the epoch is begun anew.
struct EntryOpener {
  private let key: SecretBox
  private let header: LogHeader
  private var epoch: (start: EpochStart, first: UInt64)?
  private var ratchet: Ratchet?

  /// - Parameter key: 32 bytes.
  init(_ key: SecretBox, of header: LogHeader) { (self.key, self.header) = (key, header) }

  /// Takes note of an epoch that begins. Every record that is passed over is shown to this.
  mutating func pass(_ record: StoredRecord) {
    guard let start = record.epoch else { return }
    (epoch, ratchet) = ((start, record.sequence), nil)
  }

  /// - Throws: why it cannot be opened.
  mutating func open(_ record: StoredRecord) throws(AuditIntegrityError.Flaw) -> AuditEntry {
    pass(record)
    guard let epoch, epoch.first.addingReportingOverflow(UInt64(record.step)).partialValue == record.sequence else {
      throw .notNext
    }
    let ratchet = try ratchet(at: record.step, epoch.start)
    let plain = ratchet.withNextKey { key in
      record.sealed.withUnsafeBytes {
        try? ChaChaPoly.openPublic($0, key: key, nonce: Self.nonce, associated: Array(record.clear), variant: .ietf)
      }
    }
    guard let plain else { throw .forged }
    guard let entry = Self.entry(plain) else { throw .unreadable }
    guard epoch.start.isSigned || Self.isWrittenWhileLocked(entry) else { throw .forged }
    return entry
  }

  private static let nonce = [UInt8](repeating: 0, count: 12)

  /// The kinds that may be recorded before the vault is open. Anybody who can write the file can add them, so never the vault's state.
  static func isWrittenWhileLocked(_ entry: AuditEntry) -> Bool {
    (entry.kind == .vaultOpenFailed || entry.kind == .recovered) && entry.vault == nil
  }

  private mutating func ratchet(at step: UInt32, _ start: EpochStart) throws(AuditIntegrityError.Flaw) -> Ratchet {
    if let ratchet, ratchet.step <= step {
      while ratchet.step < step { ratchet.skip() }
      return ratchet
    }
    do {
      let seed = try key.withBytes { try SealedBox.open(start.sealedSeed, secretKey: $0) }
      let fresh = try Ratchet(seed: seed, of: header)
      while fresh.step < step { fresh.skip() }
      ratchet = fresh
      return fresh
    } catch { throw .forged }
  }

  private static func entry(_ plain: [UInt8]) -> AuditEntry? {
    var reader = ByteReader(plain[...])
    guard let time: Int64 = reader.integer(), let length: UInt16 = reader.integer(), let body = reader.take(Int(length)),
      reader.rest.count < RecordFormat.padding, plain.count % RecordFormat.padding == 0, reader.rest.allSatisfy({ $0 == 0 })
    else { return nil }
    return AuditEntry(time: time, body: body)
  }
}
