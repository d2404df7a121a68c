import AuditLog
import Ciphers
import JSON
import OwnerAPI
import OwnerOperations
import OwnerWords
import Platform
import SecretMemory
import Signer
import Vault

/// Checks the vault and the log: whether every part opens, and whether anything is missing.
enum VaultChecks {
  /// If memory times passes is below this, in bytes, a guess at the passphrase is cheap today.
  private static let modestCost = 128 << 20

  /// The findings from a running signer's response to `doctor/vault`.
  /// - Parameter isTrial: whether nobody chose its passphrase, so that its cost is nobody's concern.
  static func findings(_ found: DoctorVault.Response, isTrial: Bool = false) -> [Finding] {
    records(found) + (isTrial ? [] : [cost(found)])
  }

  private static func records(_ found: DoctorVault.Response) -> [Finding] {
    let advice = "To continue without it: holdfast vault repair. Or restore a good copy of vault.db."
    var findings = found.damaged.map { damage in
      let advice = (damage.loss.map { $0.meaning + " " } ?? "") + advice
      return damage.row == nil
        ? Finding.bad("vault-records", "This is not as it was written: \(title(damage)).", advice: advice)
        : Finding.bad("vault-record", "A record is damaged: \(title(damage)).", advice: advice)
    }
    if findings.isEmpty, let kind = found.changedKind {
      findings.append(
        .bad("vault-records", "A record is missing or comes from an older copy: \(kind).", advice: advice))
    }
    if findings.isEmpty {
      findings.append(.good("vault", "All \(found.records) records of the vault open."))
    }
    return findings
  }

  private static func title(_ damage: ExaminedDamage) -> String {
    let of = damage.loss?.of.map { " of “\($0)”" } ?? ""
    return damage.kind + of + (damage.row.map { " (row \($0))" } ?? "")
  }

  private static func cost(_ found: DoctorVault.Response) -> Finding {
    let costs = found.costs.map { ($0.memoryMiB, $0.passes) }
    guard let least = costs.min(by: { $0.0 * $0.1 < $1.0 * $1.1 }) else {
      return .warning("passphrase-cost", "The vault has no passphrase.", advice: "Add one: holdfast slot add passphrase")
    }
    let shown = "\(least.0) MiB of memory, \(least.1) passes"
    guard least.0 * least.1 >= Int64(modestCost >> 20) else {
      return .warning(
        "passphrase-cost", "A guess at the passphrase is cheap (\(shown)).",
        advice: "Use a long passphrase. In a new vault made by 'holdfast init', a guess costs more.")
    }
    return .good("passphrase-cost", "A guess at the passphrase costs \(shown).")
  }

  /// The findings about a vault that no signer has open.
  static func closed(_ home: Home, _ credential: ShownCredential) -> [Finding] {
    do throws(KeyStoreError) {
      let found = try Vault.examine(
        home: home.path, with: credential.opener, wanted: (.logKey, LogRecords.anchor), now: Clock.milliseconds,
        kinds: home.kinds)
      let named = found.isSound ? nil : damaged(home, credential)
      let told = DoctorVault.Response(found)
      return (named ?? records(told)) + [cost(told)]
        + [latest(found, home), missingEntries(found, home)].compactMap { $0 }
    } catch {
      if case .corrupt = error, let named = damaged(home, credential) { return named }
      let failure = OperationError(error, by: credential.opener)
      return [.bad("vault", failure.error, advice: failure.hint ?? "First make a copy of the whole folder.")]
    }
  }

  /// A finding for each damaged record: whose it is, and what its loss means. Nil if that cannot be found out.
  private static func damaged(_ home: Home, _ credential: ShownCredential) -> [Finding]? {
    guard credential.type != .keyring, let losses = (try? Opening.losses(home: home, credential: credential)) ?? nil else {
      return nil
    }
    var found = DoctorVault.Response()
    found.damaged = losses.map { ExaminedDamage($0) }
    return records(found)
  }

  /// Whether the vault is the one that the log knows.
  private static func latest(_ found: VaultExamination, _ home: Home) -> Finding? {
    let advice = """
      Nothing is signed until you decide. To see what is missing: holdfast vault check. Then restore the newer vault.db, or continue with \
      this one: holdfast vault accept
      """
    if found.settings.contains(RollbackFinding.setting) {
      return .bad(
        "vault-put-back", "The vault is an older copy, and you have not decided yet what to do.", advice: advice)
    }
    if found.settings.contains(StateWhileLocked.setting) {
      return .warning(
        "vault-put-back", "The signer started locked and could not compare the vault with the whole log yet.",
        advice: "Start the signer and unlock it: holdfast unlock")
    }
    // Without the summary, which holds the state, there is nothing to compare. The damage itself is named.
    guard found.changedKind != "\(RecordKind.summary.name)", let known = try? AuditLog.headVault(folder: home.log) else {
      return nil
    }
    guard let putBack = RollbackFinding.compare(found.mark.flatMap({ VaultMark($0) }), with: known) else {
      return .good("vault-put-back", "The vault is the newest: no older copy was put in its place.")
    }
    return .bad("vault-put-back", putBack.sentence, advice: advice)
  }

  /// Whether the log lacks entries that the vault knows of. Nil if it does not.
  private static func missingEntries(_ found: VaultExamination, _ home: Home) -> Finding? {
    guard let known = found.asked?.withBytes({ AuditAnchor(Array($0)) }) else { return nil }
    let advice = """
      Nothing is signed until you decide. Make a copy of the folder. Then restore the newer folder “log” from a copy, or begin a new log: \
      holdfast log renew
      """
    guard let extent = try? AuditLog.extent(folder: home.log) else {
      // If the log is there but wrong, the check of the log says so.
      guard access(home.log, F_OK) != 0, errno == ENOENT else { return nil }
      return .bad("log-put-back", "The log is missing, but the vault knows of \(known.count) entries.", advice: advice)
    }
    let fault: AuditIntegrityError? =
      if extent.log != known.log {
        .notTheVaultsLog
      } else if extent.count < known.count {
        .behindTheVault(known: known.count, found: extent.count)
      } else {
        nil
      }
    return fault.map { .bad("log-put-back", "The log is not the one that the vault knows: \($0.sentence).", advice: advice) }
  }

  static func record(_ home: Home) -> Finding {
    guard access(home.log, F_OK) == 0 else {
      return Opening.hasVault(home)
        ? .warning(
          "log",
          "There is no log, but every vault has one from the start. Only a repair makes a new one.",
          advice: "Look for this home's folder “log”: \(home.log)")
        : .good("log", "The log has no entries yet.")
    }
    do throws(AuditLogError) {
      let found = try AuditLog.verify(folder: home.log)
      guard let fault = found.fault else {
        return .good("log", "The log is sound: \(found.entries) entries, none changed, cut or moved.")
      }
      return .bad(
        "log", "The log is not as it was written: \(fault.sentence).",
        advice:
          "First make a copy of the whole folder. Then restore the folder “log” from a good copy, or begin a new log: holdfast log renew"
      )
    } catch {
      return .bad(
        "log", "The log cannot be read (\(error)).", advice: "Make a copy of the whole folder, and check the disk for errors.")
    }
  }
}
