import AuditLog
package import Ciphers
package import OwnerAPI
import OwnerWords
package import SecretMemory
package import Signer
import Vault
import VaultRepair

/// Makes and opens a home with a credential of the owner. Errors are sentences.
extension Opening {
  /// Makes a vault.
  /// - Parameter cost: the cost of the passphrase function. Nil measures this machine for about 0.7 s.
  /// - Returns: the names of files in the folder that were device secrets; they are kept under these names.
  package static func makeVault(
    home: Home, passphrase: borrowing SecretBytes, cost: Argon2id.Cost?
  ) throws(OperationError) -> [String] {
    do { return try initialize(home: home, passphrase: passphrase, cost: cost) } catch { throw OperationError(error) }
  }

  /// Makes the next start suspended, when no daemon runs. Needs no key.
  package static func suspendNextStart(home: Home) throws(OperationError) {
    do { try suspend(home: home) } catch { throw OperationError(error) }
  }

  static func open(home: Home, credential: ShownCredential) throws(OperationError) -> OpenedHome {
    try open(home: home, opened: vault(home, credential))
  }

  static func open(home: Home, opened vault: Vault) throws(OperationError) -> OpenedHome {
    // The vault is open: its lock is held.
    Rehearsal.removeLeftovers(of: home)
    SpoolName.removeLeftovers(in: home.path)
    do { return try open(home: home, vault: vault) } catch { throw OperationError(error) }
  }

  static func vault(_ home: Home, _ credential: ShownCredential) throws(OperationError) -> Vault {
    do { return try vault(home, credential.opener) } catch { throw OperationError(error) }
  }

  /// Opens the home. If its vault is damaged, the intact part is opened read-only where that is possible.
  package static func openOrViewDamage(home: Home, credential: ShownCredential) throws(OperationError) -> OpenedHome {
    do { return try open(home: home, credential: credential) } catch {
      guard error.isDamage, credential.type != .keyring else { throw error }
      do { return try damagedView(home: home, opener: credential.opener) } catch let other {
        let other = OperationError(other)
        throw other.isDamage ? other : error
      }
    }
  }
}

/// Checks and repairs a vault while no signer runs. Errors are sentences.
extension Opening {
  /// As `checkVault(home:opener:)`.
  package static func checkVault(home: Home, credential: ShownCredential) throws(OperationError) -> VaultCheck.Response {
    do { return .init(try checkVault(home: home, opener: credential.opener)) } catch { throw OperationError(error) }
  }

  /// As `acceptVault(home:opener:)`.
  package static func acceptVault(home: Home, credential: ShownCredential) throws(OperationError) -> VaultAccept.Response {
    do {
      let accepted = try acceptVault(home: home, opener: credential.opener)
      return .init(accepted.vault, accepted.found, accepted.missing)
    } catch { throw OperationError(error) }
  }

  /// As `renewLog(home:opener:)`.
  package static func renewLog(home: Home, credential: ShownCredential) throws(OperationError) -> LogRenew.Response {
    do { return .init(try renewLog(home: home, opener: credential.opener)) } catch { throw OperationError(error) }
  }

  /// As `repairVault(home:opener:isPlan:)`.
  package static func repairVault(
    home: Home, credential: ShownCredential, isPlan: Bool
  ) throws(OperationError) -> VaultRepair.Response {
    do { return .init(try repairVault(home: home, opener: credential.opener, isPlan: isPlan)) } catch {
      throw OperationError(error)
    }
  }

  /// The records that a repair would lose. Nil when the vault is not damaged.
  package static func losses(home: Home, credential: ShownCredential) throws(OperationError) -> [DamagedRecord]? {
    do { return try losses(home: home, opener: credential.opener)?.map { DamagedRecord($0) } } catch {
      throw OperationError(error)
    }
  }
}
