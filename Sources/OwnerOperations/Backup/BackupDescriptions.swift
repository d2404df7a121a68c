package import Backups
package import OwnerAPI
import OwnerWords
package import SecretMemory
import Vault

extension ReadableBackup {
  /// Fetches a backup from a place.
  /// - Parameters:
  ///   - place: a folder, WebDAV server or S3 bucket, and the login there.
  ///   - name: as `backup list` shows it; nil for the newest.
  ///   - folder: a folder with enough space. A file without a name is made there; it disappears with this process.
  package convenience init(
    from place: BackupPlaceRequest, name: String?, spooledIn folder: String,
    progress: @escaping @Sendable (_ done: UInt64, _ of: UInt64) -> Void = { _, _ in }
  ) throws(OperationError) {
    do {
      let (place, store) = try place.store()
      try self.init(at: store, place, name: name, vaultID: nil, spooledIn: folder, progress: progress)
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

  /// What the owner showed to open a backup.
  /// - Throws: in words, when nothing was shown, or several things, and for what cannot be read. Nothing is opened yet.
  package init(_ credential: Credential) throws(OperationError) {
    if let shares = credential.shares {
      self = try .shares(shares, code: credential.recoveryCode)
    } else if let passphrase = credential.passphrase {
      self = .passphrase(passphrase)
    } else {
      self = .other(try ShownCredential(credential).opener)
    }
  }
}
