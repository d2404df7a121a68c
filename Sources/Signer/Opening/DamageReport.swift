package import Vault

/// A record of a vault that is lost.
package struct LostRecord: Equatable, Sendable {
  /// What is wrong with it.
  package enum Fault: Equatable, Sendable {
    /// Its row does not open. The kind is nil when this program does not know it; the id when nothing tells it any more.
    case row(RecordKind?, id: [UInt8]?)
    /// A record of this kind is missing or damaged, or an older one stands in its place.
    /// - Parameter isListed: whether a row of this kind is named besides.
    case unproven(RecordKind, isListed: Bool)
    /// What the vault keeps about all its rows.
    case summary
    /// A page of the file, with records that nobody can name.
    case page
  }

  package let fault: Fault
  /// The first 8 hex digits of its row's name; nil where no row is known.
  package let row: String?
  /// The name of the identity, app or setting that it belongs to, if that is known.
  package let of: String?

  package init(_ fault: Fault, row: String? = nil, of: String? = nil) { (self.fault, self.row, self.of) = (fault, row, of) }

  /// What the record is about, as the log and the answers for programs name it.
  package var kind: String {
    switch fault {
    case .row(let kind?, _), .unproven(let kind, _): "\(kind.name)"
    case .row(nil, _): "record of an unknown kind"
    case .summary: "summary"
    case .page: "part of the file"
    }
  }
}

/// Why nothing shows that a damaged vault is the newest one.
package enum VaultDoubt: Equatable, Sendable {
  /// It is not the one that its log knows.
  case putBack(RollbackFinding)
  /// The vault's own mark is lost.
  case markLost
  /// How far the log went is lost.
  case anchorLost
  /// The log cannot be read.
  case logUnreadable
  /// A setting is lost that may have said that the vault is not the newest one.
  case settingLost
}

/// What is lost of a damaged vault, and what becomes of the rest when it is repaired. Names are of identities or apps.
package struct DamageReport: Sendable {
  package let losses: [LostRecord]
  /// Records that are whole and stay.
  package let records: Int
  /// Whether a new log must be begun: the old one's keys or its known length are lost, or it cannot be read.
  package let isLogLost: Bool
  /// Nil where the log shows that this is the newest vault.
  package let doubt: VaultDoubt?
  /// Whether rules and the session's settings become the strictest.
  package let areSettingsReset: Bool
  /// Identities that go on under made-up names.
  package let renamed: [String]
  /// Identities whose keys were derived again from their words.
  package let derived: [(name: String, protection: ProtectionClass)]
  /// Identities that are lost.
  package let gone: [String]
  /// Apps whose pairing ends, because one half of it or its identity is lost.
  package let ended: [String]
  /// Apps that the owner revoked, by the log.
  package let revoked: [String]
  package let suspended: [String]
  /// Apps whose permissions nobody can prove to be the latest: they are asked for everything.
  package let reset: [String]

  package init(
    losses: [LostRecord], records: Int, isLogLost: Bool, doubt: VaultDoubt?, areSettingsReset: Bool, renamed: [String],
    derived: [(name: String, protection: ProtectionClass)], gone: [String], ended: [String], revoked: [String],
    suspended: [String], reset: [String]
  ) {
    (self.losses, self.records, self.isLogLost, self.doubt) = (losses, records, isLogLost, doubt)
    (self.areSettingsReset, self.renamed, self.derived, self.gone) = (areSettingsReset, renamed, derived, gone)
    (self.ended, self.revoked, self.suspended, self.reset) = (ended, revoked, suspended, reset)
  }
}
