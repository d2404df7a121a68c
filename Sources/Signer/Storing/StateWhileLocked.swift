package import AuditLog
import Encodings
package import Vault

// The setting `found while locked`, for docs/FORMATS.md: a mark as in the log's entries: revision (8) · generation (8) · digest (16).

/// The vault's state at a locked start, when the log's last entries about it could not be read.
///
/// The vault changes from there on, and may be an older copy. Until the whole log is read, this state is the one that is
/// compared, and the log accepts no state from the vault.
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

  /// Stores the state that this opening found, unless an earlier one is stored.
  static func keep(in vault: Vault) throws {
    guard try stored(in: vault) == nil, let mark = vault.foundMark.flatMap({ VaultMark($0) }) else { return }
    try vault.transaction([.put(.setting, setting, mark.bytes)])
  }

  /// Removes it.
  package static let removal = RecordChange.delete(kind: .setting, id: setting)
}
