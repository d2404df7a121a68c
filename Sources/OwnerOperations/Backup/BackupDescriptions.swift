package import Backups
package import JSON
import Nostr
package import OwnerAPI
package import SecretMemory
package import Signer
import Vault

extension BackupExamination {
  /// What is in it, for people and programs.
  package var members: [JSONValue.Member] {
    [
      .init("made", .integer(summary.madeAt / 1000)), .init("number", .integer(Int64(clamping: summary.number))),
      .init("records", .integer(Int64(clamping: summary.records))), .init("left_out", .integer(Int64(clamping: summary.leftOut))),
      .init("opened", .integer(Int64(opened))),
      .init(
        "sealed",
        .object(sealed.sorted { $0.key.rawValue < $1.key.rawValue }.map { .init($0.key.name, .integer(Int64($0.value))) })),
      .init(
        "identities",
        .array(identities.map { .object([.init("name", .string($0.name)), .init("npub", .string($0.publicKey.npub))]) })),
      .init("apps", .array(pairings.compactMap { (try? JSONValue(parsing: $0.value))?["name"] })),
      .init("slots", .array(slots.map { Operations.describe($0) })),
    ]
  }
}

extension RestorableBackup {
  /// Opens all of it that can be opened and says what is in it. Changes nothing.
  package func examine(progress: Opening.Progress = { _, _ in true }) throws(OperationError) -> JSONValue {
    do {
      return .object([.init("file", .string(shown)), .init("sound", true)] + (try examination(progress: progress)).members)
    } catch { throw OperationError(error) }
  }
}

extension ReadableBackup {
  /// Fetches one from a place.
  /// - Parameters:
  ///   - place: a folder, WebDAV or S3, with `endpoint`, `region` and `ca`, as `backup/schedule` takes it.
  ///   - secrets: `user` and `password`, where it asks who comes.
  ///   - name: as `backup list` shows it; nil for the newest.
  ///   - folder: where there is room for it. A file without a name is made there, which is gone with this process.
  package convenience init(
    from place: JSONValue, secrets: [String: SecretBox], name: String?, spooledIn folder: String,
    progress: @escaping @Sendable (_ done: UInt64, _ of: UInt64) -> Void = { _, _ in }
  ) throws(OperationError) {
    do {
      let found = try Parameters(place, secrets: secrets, channel: .command).backupPlace()
      try self.init(at: found.store, found.place, name: name, vaultID: nil, spooledIn: folder, progress: progress)
    } catch { throw OperationError(error) }
  }
}

extension BackupProof {
  /// Shares of a recovery kit.
  /// - Parameters:
  ///   - lines: one share a line.
  ///   - code: the kit's recovery code, if it has one.
  package static func shares(_ lines: SecretBox, code: SecretBox?) throws(OperationError) -> BackupProof {
    do { return .recovery(RecoveryOpener(master: try CombinedShares(lines, code: code, leavingOut: true).secret)) } catch {
      throw OperationError(error)
    }
  }
}
