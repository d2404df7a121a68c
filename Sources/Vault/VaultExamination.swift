public import Ciphers
public import SecretMemory

/// What a look at every record found. Nothing is changed by it.
public struct VaultExamination: Sendable {
  /// A row that is not what was written.
  public struct Damage: Sendable, Hashable {
    /// What the record is about, as `VaultError.corrupt` names it.
    public let kind: String
    /// The first 8 hex digits of the row's name, which is no more than a keyed hash.
    public let row: String
  }

  /// Rows that were looked at.
  public internal(set) var records = 0
  /// Rows that do not open.
  public internal(set) var damaged: [Damage] = []
  /// A kind of which a row is missing, changed, or was put back from an older copy; there may be more than this one.
  public internal(set) var changedKind: String?
  /// What a guess at each passphrase costs.
  public internal(set) var costs: [Argon2id.Cost] = []

  /// Whether all is as it was written.
  public var isSound: Bool { damaged.isEmpty && changedKind == nil }
}

extension Vault {
  /// Looks at every record of an opened vault.
  /// - Throws: `.locked`, `.io`, `.closed`.
  public func examine() throws(VaultError) -> VaultExamination {
    try withOpen { open throws(VaultError) in
      var found = try open.table.examine()
      found.changedKind = try open.table.inventory().firstDifference(from: open.inventory).map(Self.kindName)
      found.costs = open.header.slots.compactMap(PassphraseSlot.cost)
      return found
    }
  }

  /// Looks at every record of a vault that may refuse to open, going on where it is damaged. An attempt at the passphrase like
  /// any other.
  /// - Throws: as `open`, but for damage of single records.
  public static func examine(
    home: String, passphrase: borrowing SecretBytes, now: Int64
  ) throws(VaultError) -> VaultExamination {
    let folder = HomeFolder(path: home)
    try folder.check()
    guard HomeFolder.exists(folder.vault) else { throw .noVault }
    let database = try VaultFile.open(at: folder.vault, under: try HomeLock(folder))
    let (header, stored) = try HeaderTable.read(from: database)
    let attempts = try AttemptTable.begin(in: database, now: now)
    guard var keys = try unlock(header, passphrase) else {
      throw .wrongPassphrase(waitSeconds: Attempts(failures: attempts.failures + 1, failedAt: now).wait)
    }
    try AttemptTable.write(Attempts(failures: 0, failedAt: 0), to: database)
    guard try keys.mac(of: stored.body, vaultID: header.vaultID) == stored.mac else { throw .corrupt(what: "header") }
    try keys.derive(vaultID: header.vaultID)
    let table = RecordTable(database, header.vaultID, keys)
    var found = try table.examine()
    found.costs = header.slots.compactMap(PassphraseSlot.cost)
    if let summary = try? table.summary() {
      found.changedKind = try table.inventory().firstDifference(from: summary.inventory).map(kindName)
    } else {
      found.changedKind = "\(RecordKind.summary.name)"
    }
    return found
  }

  private static func kindName(_ raw: UInt16) -> String { RecordKind(rawValue: raw).map { "\($0.name)" } ?? "record" }
}

extension RecordTable {
  /// Tries to open every row.
  fileprivate func examine() throws(VaultError) -> VaultExamination {
    var found = VaultExamination()
    let rows = try database.prepare("SELECT kind, name, class, version, wrapped, sealed FROM records WHERE kind <> 0")
    while try rows.step() {
      found.records += 1
      let name = rows.bytes(1)
      let kind = UInt16(exactly: rows.integer(0)).flatMap(RecordKind.init(rawValue:))
      let damage = VaultExamination.Damage(
        kind: kind.map { "\($0.name)" } ?? "record of an unknown kind",
        row: name.prefix(4).map { "\(Self.hexDigit($0 >> 4))\(Self.hexDigit($0 & 15))" }.joined())
      guard let kind, let raw = UInt8(exactly: rows.integer(2)), let protection = ProtectionClass(rawValue: raw) else {
        found.damaged.append(damage)
        continue
      }
      let place = RecordPlace(
        vaultID: vaultID, kind: kind.rawValue, name: name, protection: raw, version: UInt64(bitPattern: rows.integer(3)))
      let sealed = SealedRecord(wrapped: rows.bytes(4), sealed: rows.bytes(5))
      let key = try keys.key(protection)
      let id = kind.isSecret ? try? sealed.openSecret(at: place, under: key).id : try? sealed.open(at: place, under: key).id
      let isInPlace = try id.map { id throws(VaultError) in try keys.rowName(kind, id) == name } ?? false
      if !isInPlace { found.damaged.append(damage) }
    }
    return found
  }

  fileprivate func summary() throws(VaultError) -> VaultSummary {
    var found: VaultSummary?
    try each(.summary, named: try keys.rowName(.summary, [])) { place, sealed, key throws(VaultError) in
      let record = try sealed.open(at: place, under: key)
      found = VaultSummary(record.value)
      return record.id
    }
    guard let found else { throw .corrupt(what: "summary") }
    return found
  }

  private static func hexDigit(_ value: UInt8) -> Character {
    Character(Unicode.Scalar(value < 10 ? 0x30 + value : 0x57 + value))
  }
}

extension PassphraseSlot {
  /// What a guess at a passphrase slot costs; nil for slots of other types.
  fileprivate static func cost(_ slot: Keyslot) -> Argon2id.Cost? { try? cost(of: slot)?.cost }
}
