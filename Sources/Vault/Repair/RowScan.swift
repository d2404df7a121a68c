/// The rows of a file that may be damaged: those on a page that cannot be read are left out.
struct RowScan {
  let database: Database
  /// Those that the program knows.
  let kinds: RecordKinds
  /// Whether something could not be read.
  private(set) var isCut = false

  init(_ database: Database, _ kinds: RecordKinds) {
    (self.database, self.kinds) = (database, kinds)
    // If rows are out of place, a search by the index finds nothing, but a scan finds all of them.
    let check = try? database.prepare("PRAGMA integrity_check(1)")
    isCut = (try? check?.step()) != true || check?.string(0) != "ok"
  }

  /// Passes on every row that can be read, except the vault's own. A row may come twice.
  mutating func each(_ body: (SealedRow) throws(VaultError) -> Void) throws(VaultError) {
    for kind in kinds.all where kind != .summary {
      // From both ends: a page that cannot be read stops either.
      if try isWhole(Self.upwards, kind.rawValue, isUpwards: true, body) { continue }
      isCut = true
      _ = try isWhole(Self.downwards, kind.rawValue, isUpwards: false, body)
    }
  }

  /// The names of rows of kinds that this version does not know, and their number of kind.
  mutating func unknown() -> [(kind: UInt16, name: [UInt8])] {
    var found: [(UInt16, [UInt8])] = []
    guard let rows = try? database.prepare("SELECT kind, name FROM records WHERE kind <> 0 ORDER BY kind, name") else {
      return []
    }
    var last: (kind: Int64, name: [UInt8])?
    while (try? rows.step()) == true {
      let (number, name) = (rows.integer(0), rows.bytes(1))
      // As below: pages may lead back to themselves.
      let isBehind = last.map { $0.kind < number || ($0.kind == number && $0.name.lexicographicallyPrecedes(name)) } ?? true
      guard isBehind, found.count < Self.mostUnknown else {
        isCut = true
        return found
      }
      last = (number, name)
      let kind = UInt16(truncatingIfNeeded: number)
      if kinds[column: number] == nil { found.append((kind, name)) }
    }
    return found
  }

  /// More rows of unknown kinds are not named one by one.
  static let mostUnknown = 1000

  private static let upwards: StaticString =
    "SELECT name, class, version, wrapped, sealed FROM records WHERE kind = ? ORDER BY name"
  private static let downwards: StaticString =
    "SELECT name, class, version, wrapped, sealed FROM records WHERE kind = ? ORDER BY name DESC"

  private func isWhole(
    _ sql: StaticString, _ kind: UInt16, isUpwards: Bool, _ body: (SealedRow) throws(VaultError) -> Void
  ) throws(VaultError) -> Bool {
    guard let rows = try readable({ () throws(VaultError) in try database.prepare(sql) }) else { return false }
    try rows.bind(1, Int64(kind))
    var last: [UInt8]?
    while true {
      guard let isRow = try readable({ () throws(VaultError) in try rows.step() }) else { return false }
      guard isRow else { return true }
      let name = rows.bytes(0)
      // Pages that lead back to themselves would have no end.
      if let last, last == name || last.lexicographicallyPrecedes(name) != isUpwards { return false }
      last = name
      try body(
        SealedRow(
          kind: kind, name: name, protection: UInt8(exactly: rows.integer(1)) ?? 0,
          version: UInt64(bitPattern: rows.integer(2)), wrapped: rows.bytes(3), sealed: rows.bytes(4)))
    }
  }

  /// - Returns: nil where the file is damaged or the disk does not give it.
  private func readable<Result>(_ body: () throws(VaultError) -> Result) throws(VaultError) -> Result? {
    do { return try body() } catch {
      switch error {
      case .corrupt, .io: return nil
      default: throw error
      }
    }
  }
}
