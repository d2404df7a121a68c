extension Vault {
  /// Under which class a record is sealed; nil when there is none of that id. Opens nothing.
  ///
  /// The class stands beside the record in clear, and its key opens the record under no other.
  /// - Throws: `.corrupt`, `.locked` before the first unlock, `.io`, `.closed`.
  public func protection(of kind: RecordKind, id: [UInt8]) throws(VaultError) -> ProtectionClass? {
    try withOpen { open throws(VaultError) in
      let row = try open.database.prepare("SELECT class FROM records WHERE kind = ? AND name = ?")
      try row.bind(1, Int64(kind.rawValue))
      try row.bind(2, try open.keys.rowName(kind, id))
      guard try row.step() else { return nil }
      guard let found = UInt8(exactly: row.integer(0)).flatMap(ProtectionClass.init(rawValue:)) else {
        throw VaultError.corrupt(what: kind.name)
      }
      return found
    }
  }
}
