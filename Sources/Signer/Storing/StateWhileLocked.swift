package import AuditLog
internal import Encodings
package import Vault

// The setting `found while locked`, for docs/FORMATS.md: a mark as in the log's entries: revision (8) · generation (8) · digest (16).

/// The state in which a start found the vault while it was locked, and nobody could read what the log's last entries say of it.
///
/// The vault changes from there on, and may be an older copy. Until all of the log is read, this state is the one that is compared, and the
/// log takes none from the vault.
package enum StateWhileLocked {
  package static let setting = Array("found while locked".utf8)

  /// What the first such start found; nil when the log was read since.
  package static func stored(in vault: Vault) throws -> VaultMark? {
    guard let value = try vault.value(.setting, id: setting) else { return nil }
    var reader = ByteReader(value[...])
    guard let mark = VaultMark(&reader), reader.isAtEnd else { throw VaultError.corrupt(what: RecordKind.setting.name) }
    return mark
  }

  /// Keeps the state as this opening found it, unless an earlier one is kept.
  static func keep(in vault: Vault) throws {
    guard try stored(in: vault) == nil, let mark = vault.foundMark.flatMap({ VaultMark($0) }) else { return }
    try vault.transaction([.put(.setting, setting, mark.bytes)])
  }

  /// Forgets it.
  package static let removal = RecordChange.delete(kind: .setting, id: setting)
}
