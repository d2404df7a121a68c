package import AuditLog

/// Sentences about errors in the log.
extension AuditIntegrityError {
  /// One sentence without its full stop. It names the entry if one can be named.
  package var sentence: String {
    switch self {
    case .missing: "there is no log in the folder"
    case .damagedHeader: "the beginning of audit.log, before entry 1, was changed"
    case .newerVersion(let found): "the log was written by a newer Holdfast (format \(found))"
    case .otherKeys: "the log was made with keys that are not this vault's"
    case .missingHead: "audit.head, the signed head, is missing"
    case .damagedHead: "audit.head is not what was signed, or belongs to another log"
    case .rolledBack(let recorded, let found):
      "rolled back: the signed head names \(recorded) entries, the log has \(found); the first missing one is entry \(found + 1)"
    case .behindTheVault(let known, let found):
      "rolled back: the vault knows of \(known) entries, the log has \(found); the first missing one is entry \(found + 1)"
    case .notTheVaultsLog: "this is not the log that the vault knows, but a new one"
    case .notAsSigned(let from, let to): "rewritten: \(Self.run(from, to)) not what was signed"
    case .notAsTheVaultKnows(let from, let to): "rewritten: \(Self.run(from, to)) not what the vault knows"
    case .droppedUnrecorded(let to): "the contents of entries 1 to \(to) are missing, and no entry records that you deleted them"
    case .entry(let sequence, let offset, let flaw): "entry \(sequence) (byte \(offset) of audit.log) \(flaw.words)"
    }
  }

  /// The first entry that is not as it was written, if it can be named.
  package var firstBadEntry: UInt64? {
    switch self {
    case .rolledBack(_, let found), .behindTheVault(_, let found): found + 1
    case .notAsSigned(let from, _), .notAsTheVaultKnows(let from, _): from
    case .droppedUnrecorded: 1
    case .entry(let sequence, _, _): sequence
    default: nil
    }
  }

  private static func run(_ from: UInt64, _ to: UInt64) -> String {
    from == to ? "entry \(from) is" : "one or more of the entries \(from) to \(to) are"
  }
}

extension AuditIntegrityError.Flaw {
  fileprivate var words: String {
    switch self {
    case .notNext: "does not follow from the previous one: an entry was changed, dropped, added or moved here"
    case .altered: "was changed"
    case .trailer: "has a changed length"
    case .forged: "was not made by this log: its seal is wrong"
    case .unreadable: "cannot be read by this version of Holdfast"
    case .cut: "is cut off in the middle"
    }
  }
}
