public import Ciphers
public import SecretMemory

/// The result of checking every record. Nothing is changed by it.
public struct VaultExamination: Sendable {
  /// A row that is not what was written.
  public struct Damage: Sendable, Hashable {
    /// What the record is about, as `VaultError.corrupt` names it.
    public let kind: String
    /// The first 8 hex digits of the row's name, which is only a keyed hash.
    public let row: String
  }

  /// Rows that were looked at.
  public internal(set) var records = 0
  /// Rows that do not open.
  public internal(set) var damaged: [Damage] = []
  /// Rows of classes that could not be opened here: they need presence, another slot or another device.
  public internal(set) var closed = 0
  /// A kind of which a row is missing, changed, or was restored from an older copy. There may be more than this one.
  public internal(set) var changedKind: String?
  /// Which state of the vault it is, for a witness; nil in a vault of version 2.
  public internal(set) var mark: Vault.Mark?
  /// The ids of the settings that were found.
  public internal(set) var settings: Set<[UInt8]> = []
  /// The value of the requested record. Nil if there is none, or it does not open.
  public internal(set) var asked: SecretBox?
  /// What a guess at each passphrase costs.
  public internal(set) var costs: [Argon2id.Cost] = []

  /// Whether all is as it was written.
  public var isSound: Bool { damaged.isEmpty && changedKind == nil }
}

extension Vault {
  /// Looks at every record of an opened vault, but those that cannot be opened now.
  /// - Throws: `.locked`, `.io`, `.closed`.
  public func examine() throws(VaultError) -> VaultExamination {
    try withOpen { open throws(VaultError) in
      guard open.keys.has(.whenUnlocked) else { throw VaultError.locked }
      var found = try open.table.examine()
      found.changedKind = try open.table.changedKind(open.summary, isStrict: open.header.isStrict)
      found.mark = open.summary.mark
      found.costs = open.header.slots.compactMap(Self.cost)
      return found
    }
  }

  /// Looks at every record of a vault that may refuse to open, going on where it is damaged. An attempt at the passphrase like
  /// any other.
  /// - Throws: as `open`, but for damage of single records.
  public static func examine(
    home: String, passphrase: borrowing SecretBytes, now: Int64, kinds: RecordKinds = .own
  ) throws(VaultError) -> VaultExamination {
    let opener = try PassphraseOpener(copying: passphrase)
    do { return try examine(home: home, with: opener, now: now, kinds: kinds) } catch { throw VaultError(error) }
  }

  /// As above, by any slot.
  /// - Parameters:
  ///   - wanted: a secret record that the caller wants to see.
  ///   - kinds: those that the program knows; a row of another is damage.
  public static func examine(
    home: String, with opener: some SlotOpener, wanted: (kind: RecordKind, id: [UInt8])? = nil, now: Int64,
    kinds: RecordKinds = .own
  ) throws(KeyStoreError) -> VaultExamination {
    let (database, stored, attempt) = try keyStoreFault { () throws(VaultError) in
      let database = try file(in: HomeFolder(path: home))
      let stored = try HeaderTable.read(from: database)
      return (database, stored, try Attempt(at: opener.type, in: database, now: now))
    }
    var (_, keys) = try prove(opener, stored, attempt, in: database, now: now)
    return try keyStoreFault { () throws(VaultError) in
      // No opening that anybody notes: what was counted before still counts.
      attempt.undo(in: database)
      try HeaderTable.authenticate(stored, &keys)
      let table = RecordTable(database, stored.header.vaultID, keys, kinds)
      var found = try table.examine(wanted)
      if case .two(let header) = stored.header { found.costs = header.slots.compactMap(cost) }
      let isStrict = stored.header.isStrict
      if let summary = try? table.summary(hasRevision: isStrict), summary.generation == stored.header.generation {
        found.changedKind = try table.changedKind(summary, isStrict: isStrict)
        found.mark = summary.mark
      } else {
        found.changedKind = "\(RecordKind.summary.name)"
      }
      return found
    }
  }

  /// What a guess at a passphrase slot costs; nil for slots of other types.
  private static func cost(_ slot: Keyslot) -> Argon2id.Cost? {
    guard slot.type == SlotType.passphrase.rawValue else { return nil }
    return try? PassphraseParameters.read(slot.parameters).cost
  }

}

extension RecordTable {
  /// The kind in which the rows are not what a summary says, nil when they are.
  fileprivate func changedKind(_ summary: VaultSummary, isStrict: Bool) throws(VaultError) -> String? {
    if let raw = try inventory().firstDifference(from: summary.inventory) {
      return "\(kinds.name(of: raw))"
    }
    guard isStrict else { return nil }
    do { _ = try checkedStrict() } catch .corrupt(let what) { return "\(what)" }
    return nil
  }

  /// Tries to open every row.
  fileprivate func examine(_ wanted: (kind: RecordKind, id: [UInt8])? = nil) throws(VaultError) -> VaultExamination {
    var found = VaultExamination()
    let rows = try database.prepare("SELECT kind, name, class, version, wrapped, sealed FROM records WHERE kind <> 0")
    while try rows.step() {
      found.records += 1
      let name = rows.bytes(1)
      let kind = kinds[column: rows.integer(0)]
      let damage = VaultExamination.Damage(
        kind: kind.map { "\($0.name)" } ?? "record of an unknown kind",
        row: name.prefix(4).map { "\(Self.hexDigit($0 >> 4))\(Self.hexDigit($0 & 15))" }.joined())
      guard let kind, let raw = UInt8(exactly: rows.integer(2)), let protection = ProtectionClass(rawValue: raw) else {
        found.damaged.append(damage)
        continue
      }
      let place = RecordPlace(
        vaultID: vaultID, kind: kind, name: name, protection: raw, version: UInt64(bitPattern: rows.integer(3)))
      let sealed = SealedRecord(wrapped: rows.bytes(4), sealed: rows.bytes(5))
      guard let key = try? keys.key(protection) else {
        found.closed += 1
        continue
      }
      let secret = kind.isSecret ? try? sealed.openSecret(at: place, under: key) : nil
      let id = kind.isSecret ? secret?.id : try? sealed.open(at: place, under: key).id
      let isInPlace = try id.map { id throws(VaultError) in try keys.rowName(kind, id, protection) == name } ?? false
      if !isInPlace { found.damaged.append(damage) }
      if kind == .setting, isInPlace, let id { found.settings.insert(id) }
      if let wanted, wanted.kind == kind, wanted.id == id, isInPlace { found.asked = secret?.value }
    }
    return found
  }

  private static func hexDigit(_ value: UInt8) -> Character {
    Character(Unicode.Scalar(value < 10 ? 0x30 + value : 0x57 + value))
  }
}
