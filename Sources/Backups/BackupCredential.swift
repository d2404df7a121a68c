package import SecretMemory
package import Vault

// The record of kind backup credential, for docs/FORMATS.md: length of the user or key id in bytes (2) ‖ it, UTF-8 ‖ password or secret.

/// The credential for the place where backups go.
package struct BackupCredential: Sendable {
  package static let longestUser = 256
  package static let longestPassword = 1024
  private static let id = Array("plan".utf8)

  /// A user's name, or the id of an access key.
  package let user: String
  package let password: SecretBox

  package init(user: String, password: SecretBox) { (self.user, self.password) = (user, password) }

  /// - Returns: nil if none is stored.
  static func load(from vault: Vault) throws(VaultError) -> BackupCredential? {
    let stored: SecretBytes
    do { stored = try vault.secret(kind: .backupCredential, id: id) } catch {
      if case .notFound = error { return nil }
      throw error
    }
    let found = stored.withBytes { bytes -> BackupCredential? in
      guard bytes.count > 2 else { return nil }
      let length = Int(bytes[0]) << 8 | Int(bytes[1])
      guard length <= longestUser, bytes.count > 2 + length,
        let user = String(validating: bytes[2..<2 + length], as: UTF8.self),
        let password = try? SecretBytes(copying: UnsafeRawBufferPointer(rebasing: bytes[(2 + length)...]))
      else { return nil }
      return BackupCredential(user: user, password: SecretBox(password))
    }
    guard let found else { throw .corrupt(what: RecordKind.backupCredential.name) }
    return found
  }

  /// The change that stores it.
  package func change() throws(VaultError) -> RecordChange {
    let name = Array(user.utf8)
    do {
      let bytes = try SecretBytes(count: 2 + name.count + password.count) { (target) throws(Never) in
        (target[0], target[1]) = (UInt8(truncatingIfNeeded: name.count >> 8), UInt8(truncatingIfNeeded: name.count))
        UnsafeMutableRawBufferPointer(rebasing: target[2...]).copyBytes(from: name)
        password.withBytes { UnsafeMutableRawBufferPointer(rebasing: target[(2 + name.count)...]).copyMemory(from: $0) }
      }
      return .put(.backupCredential, Self.id, SecretBox(bytes), .afterFirstUnlock)
    } catch { throw .outOfMemory }
  }

  /// The change that removes it.
  package static var removal: RecordChange { .delete(kind: .backupCredential, id: id) }
}
