import AuditLog
package import Ciphers
package import OwnerAPI
package import SecretMemory
package import Signer
import Vault
import VaultRepair

/// Making and opening a home by what the owner shows, with errors in words.
extension Opening {
  /// Makes a vault.
  /// - Parameter cost: what the passphrase function shall cost; nil measures this machine for about 0.7 s.
  /// - Returns: the names of files of the folder that were device secrets, and are kept under these names.
  package static func makeVault(
    home: Home, passphrase: borrowing SecretBytes, cost: Argon2id.Cost?
  ) throws(OperationError) -> [String] {
    do { return try initialize(home: home, passphrase: passphrase, cost: cost) } catch { throw OperationError(error) }
  }

  /// Sees to it that the next start is suspended, where no daemon runs. Needs no key.
  package static func suspendNextStart(home: Home) throws(OperationError) {
    do { try suspend(home: home) } catch { throw OperationError(error) }
  }

  static func core(home: Home, evidence: ShownCredential) throws(OperationError) -> Core {
    let opened = try vault(home, evidence)
    return try core(home: home, opened: opened)
  }

  static func core(home: Home, opened vault: Vault) throws(OperationError) -> Core {
    Rehearsal.removeLeftovers(of: home)  // the vault is open: its lock is held
    do { return try core(home: home, vault: vault) } catch { throw OperationError(error) }
  }

  static func vault(_ home: Home, _ evidence: ShownCredential) throws(OperationError) -> Vault {
    do { return try vault(home, evidence.opener) } catch { throw OperationError(error) }
  }

  /// Opens the home; a damaged vault, where that goes, only to look at.
  package static func coreOrDamagedView(home: Home, evidence: ShownCredential) throws(OperationError) -> Core {
    do { return try core(home: home, evidence: evidence) } catch {
      guard error.isDamage, evidence.type != .keyring else { throw error }
      do { return try damagedView(home: home, opener: evidence.opener) } catch let other {
        let other = OperationError(other)
        throw other.isDamage ? other : error
      }
    }
  }
}

/// Putting a vault right where no signer runs, with errors in words.
extension Opening {
  /// As `checkVault(home:opener:)`.
  package static func checkVault(home: Home, evidence: ShownCredential) throws(OperationError) -> VaultCheck.Response {
    do { return .init(try checkVault(home: home, opener: evidence.opener)) } catch { throw OperationError(error) }
  }

  /// As `acceptVault(home:opener:)`.
  package static func acceptVault(home: Home, evidence: ShownCredential) throws(OperationError) -> VaultAccept.Response {
    do {
      let accepted = try acceptVault(home: home, opener: evidence.opener)
      return .init(accepted.vault, accepted.found, accepted.missing)
    } catch { throw OperationError(error) }
  }

  /// As `renewLog(home:opener:)`.
  package static func renewLog(home: Home, evidence: ShownCredential) throws(OperationError) -> LogRenew.Response {
    do { return .init(try renewLog(home: home, opener: evidence.opener)) } catch { throw OperationError(error) }
  }

  /// As `repairVault(home:opener:isPlan:)`.
  package static func repairVault(
    home: Home, evidence: ShownCredential, isPlan: Bool
  ) throws(OperationError) -> VaultRepair.Response {
    do { return .init(try repairVault(home: home, opener: evidence.opener, isPlan: isPlan)) } catch {
      throw OperationError(error)
    }
  }

  /// What is lost of a vault; nil where nothing is.
  package static func losses(home: Home, evidence: ShownCredential) throws(OperationError) -> [DamagedRecord]? {
    do { return try losses(home: home, opener: evidence.opener)?.map { DamagedRecord($0) } } catch { throw OperationError(error) }
  }
}
