import Encodings
import SecretMemory

/// Sorts the rows of a damaged vault into those that open and those that do not.
struct RowSorting {
  private let vaultID: [UInt8]
  /// All class keys that what was shown opens.
  private let keys: ClassKeys
  /// Those that the program knows.
  private let kinds: RecordKinds
  /// All existing rows, summed up as the vault does it.
  private(set) var sums = Inventory()
  private(set) var damage = VaultDamage()
  /// The ids of the rows that open.
  private(set) var ids: [RecordKind: Set<[UInt8]>] = [:]
  private var names: Set<[UInt8]> = []
  private var damaged: [(kind: RecordKind, name: [UInt8])] = []

  init(_ vaultID: [UInt8], _ keys: ClassKeys, _ kinds: RecordKinds) {
    (self.vaultID, self.keys, self.kinds) = (vaultID, keys, kinds)
    sums.strict = .empty
  }

  /// - Returns: the row as it is taken over; nil for one that is not.
  mutating func take(_ row: SealedRow) throws(VaultError) -> SealedRow? {
    guard let kind = kinds[row.kind], names.insert(Self.mark(row.kind, row.name)).inserted else { return nil }
    let place = row.place(vaultID)
    sums.toggle(place, wrapped: row.wrapped, under: try keys.inventoryKey())
    if place.isStrict, let key = try keys.strictKey(vaultID: vaultID) { sums.strict?.toggle(place, row.wrapped, key) }
    guard let whole = try whole(row, kind) else {
      damaged.append((kind, row.name))
      return nil
    }
    damage.records += 1
    return whole
  }

  private mutating func whole(_ row: SealedRow, _ kind: RecordKind) throws(VaultError) -> SealedRow? {
    guard let protection = ProtectionClass(rawValue: row.protection), row.name.count == 32 else { return nil }
    if let key = try? keys.key(protection) { return try opens(row, kind, key) ? row : nil }
    guard kind.classes.mayBeClosed(protection) else { return nil }
    if let moved = try underItsOwnClass(row, kind) { return moved }
    damage.unopened += 1
    return row.wrapped.count == SealedRecord.wrappedLength ? row : nil
  }

  /// A row of which somebody changed the class to one that does not open here: taken over so, it would never open again.
  private mutating func underItsOwnClass(_ row: SealedRow, _ kind: RecordKind) throws(VaultError) -> SealedRow? {
    for (protection, key) in keys.all {
      let own = SealedRow(
        kind: row.kind, name: row.name, protection: protection.rawValue, version: row.version, wrapped: row.wrapped,
        sealed: row.sealed)
      if try opens(own, kind, key) { return own }
    }
    return nil
  }

  private mutating func opens(_ row: SealedRow, _ kind: RecordKind, _ key: SecretBox) throws(VaultError) -> Bool {
    guard let protection = ProtectionClass(rawValue: row.protection) else { return false }
    let place = row.place(vaultID)
    let sealed = SealedRecord(wrapped: row.wrapped, sealed: row.sealed)
    let id: [UInt8]
    do throws(VaultError) {
      id = kind.isSecret ? try sealed.openSecret(at: place, under: key).id : try sealed.open(at: place, under: key).id
    } catch {
      guard case .corrupt = error else { throw error }
      return false
    }
    guard try keys.rowName(kind, id, protection) == row.name else { return false }
    ids[kind, default: []].insert(id)
    return true
  }

  /// Names the rows that do not open.
  /// - Parameters:
  ///   - known: ids that a record may have.
  ///   - unknown: rows of kinds that this version does not know.
  mutating func name(_ known: [[UInt8]], unknown: [(kind: UInt16, name: [UInt8])]) throws(VaultError) {
    let candidates = Set(known).union(ids.values.joined())
    for kind in Set(damaged.map(\.kind)) {
      var byName: [[UInt8]: [UInt8]] = [:]
      for id in candidates { for name in try keys.rowNames(kind, id) { byName[name] = id } }
      damage.rows += damaged.filter { $0.kind == kind }.map { .init(kind: kind, row: Self.hex($0.name), id: byName[$0.name]) }
    }
    damage.rows += unknown.map { .init(kind: nil, row: Self.hex($0.name), id: nil) }
    damage.rows.sort { ($0.kind?.rawValue ?? .max, $0.row) < ($1.kind?.rawValue ?? .max, $1.row) }
  }

  /// Compares the rows with what the vault kept about them.
  /// - Parameters:
  ///   - summary: nil when it does not open.
  ///   - strict: the same of the stricter classes.
  mutating func compare(_ summary: VaultSummary?, _ strict: StrictInventory?, isStrict: Bool, isCut: Bool) {
    damage.isPageLost = isCut
    damage.isSummaryLost = summary == nil || (isStrict && strict == nil)
    let all = Set(kinds.all).subtracting([.summary])
    if let summary { damage.unproven = known(sums.differences(from: summary.inventory)) } else { damage.unproven = all }
    guard isStrict else { return }
    if let strict {
      damage.unproven.formUnion(known(sums.strict?.differences(from: strict) ?? []))
    } else {
      damage.unproven.formUnion(all.filter { $0.classes.includeStrict })
    }
  }

  private func known(_ numbers: Set<UInt16>) -> Set<RecordKind> { Set(numbers.compactMap { kinds[$0] }) }

  private static func mark(_ kind: UInt16, _ name: [UInt8]) -> [UInt8] { [UInt8(kind >> 8), UInt8(kind & 0xff)] + name }

  private static func hex(_ name: [UInt8]) -> String { Hex.encode(Array(name.prefix(4))) }
}

extension Inventory {
  /// The numbers of the kinds in which the two differ.
  fileprivate func differences(from other: Inventory) -> Set<UInt16> {
    Set(sums.keys).union(other.sums.keys).filter { sums[$0] != other.sums[$0] }
  }
}

extension StrictInventory {
  fileprivate func differences(from other: StrictInventory) -> Set<UInt16> {
    let (mine, others) = (sums ?? [:], other.sums ?? [:])
    return Set(mine.keys).union(others.keys).filter { mine[$0] != others[$0] }
  }
}
