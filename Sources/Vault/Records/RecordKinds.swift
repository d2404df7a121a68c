/// All kinds of records that a program knows. A vault treats a row of any other kind as one that a later version wrote: it is kept, copied
/// into backups, and not opened.
public struct RecordKinds: Sendable, Hashable {
  /// Those of the vault alone: enough for programs that keep items and settings.
  public static let own = RecordKinds([.summary, .setting, .slotNote, .itemNote, .itemValue, .fingerSet])

  /// By their numbers.
  private let byNumber: [UInt16: RecordKind]

  private init(_ kinds: [RecordKind]) {
    var byNumber: [UInt16: RecordKind] = [:]
    for kind in kinds {
      let other = byNumber.updateValue(kind, forKey: kind.rawValue)
      precondition(other == nil, "two kinds of records have the number \(kind.rawValue)")
    }
    self.byNumber = byNumber
  }

  /// The vault's own, and those of the modules that a program is made of. No two may have the same number.
  public init(adding kinds: [RecordKind]) { self.init(RecordKinds.own.all + kinds) }

  /// All, in the order of their numbers.
  public var all: [RecordKind] { byNumber.values.sorted { $0.rawValue < $1.rawValue } }

  /// The kind of a number that was stored; nil for one that is not known.
  public subscript(number: UInt16) -> RecordKind? { byNumber[number] }

  /// The kind of a column's number.
  subscript(column number: Int64) -> RecordKind? { UInt16(exactly: number).flatMap { self[$0] } }

  /// For errors.
  func name(of number: UInt16) -> StaticString { self[number]?.name ?? "record" }
}
