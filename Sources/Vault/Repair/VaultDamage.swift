/// What is not as it was written in a vault, row by row.
public struct VaultDamage: Sendable {
  /// A row that does not open.
  public struct Row: Sendable, Hashable {
    /// Nil for a kind that this version does not know.
    public let kind: RecordKind?
    /// The first 8 hex digits of the row's name, which is only a keyed hash.
    public let row: String
    /// What the record is about, where its row's name gives it away to whoever has the keys.
    public let id: [UInt8]?
  }

  /// Rows that do not open. They are left out.
  public internal(set) var rows: [Row] = []
  /// Kinds whose rows are not the ones that the vault had last: one is missing, damaged, or was restored from an older copy, and
  /// nobody can find out which.
  public internal(set) var unproven: Set<RecordKind> = []
  /// Whether what the vault keeps about all its rows is lost, so that nothing proves that they are the latest.
  public internal(set) var isSummaryLost = false
  /// Whether part of the file cannot be read, so that rows may be missing.
  public internal(set) var isPageLost = false
  /// Rows that were taken over.
  public internal(set) var records = 0
  /// How many of these are of classes that no shown credential opens. They are copied sealed.
  public internal(set) var unopened = 0

  /// Whether all is as it was written.
  public var isNothing: Bool { rows.isEmpty && unproven.isEmpty && !isSummaryLost && !isPageLost }

  /// Whether a record of this kind may be lost, or may have been replaced by an older one.
  public func concerns(_ kind: RecordKind) -> Bool { unproven.contains(kind) || rows.contains { $0.kind == kind } }
}
