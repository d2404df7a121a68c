import AuditLog
import Ciphers
import JSON
import OwnerAPI
import OwnerOperations
import Platform
import SecretMemory
import Signer
import Vault

/// The vault and the record: does every part open, is anything missing?
enum VaultChecks {
  /// Below this much memory times passes a guess at the passphrase is cheap today, in bytes.
  private static let modestCost = 128 << 20

  /// What the operation `doctor/vault` of a running signer tells, for people.
  static func findings(_ found: DoctorVault.Response) -> [Finding] { records(found) + [cost(found)] }

  private static func records(_ found: DoctorVault.Response) -> [Finding] {
    let advice = "To go on without it: holdfast vault repair. Or put back a copy of vault.db from before the damage."
    var findings = found.damaged.map { damage in
      let advice = (damage.loss.map { $0.meaning + " " } ?? "") + advice
      return damage.row == nil
        ? Finding.bad("vault-records", "Not as it was written: \(title(damage)).", advice: advice)
        : Finding.bad("vault-record", "A record is damaged: \(title(damage)).", advice: advice)
    }
    if findings.isEmpty, let kind = found.changedKind {
      findings.append(
        .bad("vault-records", "A record is missing or was put back from an older copy: \(kind).", advice: advice))
    }
    if findings.isEmpty {
      findings.append(.good("vault", "Each of the \(found.records) records in the vault opens."))
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
      return .warning("passphrase-cost", "The vault has no passphrase.", advice: "Add one.")
    }
    let shown = "\(least.0) MiB of memory, \(least.1) passes"
    guard least.0 * least.1 >= Int64(modestCost >> 20) else {
      return .warning(
        "passphrase-cost", "A guess at the passphrase is cheap (\(shown)).",
        advice: "A long passphrase makes up for it. A vault made anew by 'holdfast init' costs more.")
    }
    return .good("passphrase-cost", "A guess at the passphrase costs \(shown).")
  }

  /// A vault that nobody has open.
  static func closed(_ home: Home, _ evidence: ShownCredential) -> [Finding] {
    do throws(KeyStoreError) {
      let found = try Vault.examine(
        home: home.path, with: evidence.opener, wanted: (.logKey, LogRecords.anchor), now: Clock.milliseconds,
        kinds: home.kinds)
      let named = found.isSound ? nil : damaged(home, evidence)
      let told = DoctorVault.Response(found)
      return (named ?? records(told)) + [cost(told)]
        + [latest(found, home), missingEntries(found, home)].compactMap { $0 }
    } catch {
      if case .corrupt = error, let named = damaged(home, evidence) { return named }
      let failure = OperationError(error, by: evidence.opener)
      return [.bad("vault", failure.error, advice: failure.hint ?? "Keep a copy of the folder before anything else.")]
    }
  }

  /// Each damaged record with whose it is and what its loss means; nil where that cannot be told.
  private static func damaged(_ home: Home, _ evidence: ShownCredential) -> [Finding]? {
    guard evidence.type != .keyring, let losses = (try? Opening.losses(home: home, evidence: evidence)) ?? nil else {
      return nil
    }
    var found = DoctorVault.Response()
    found.damaged = losses.map { ExaminedDamage($0) }
    return records(found)
  }

  /// Whether the vault is the one the log knows.
  private static func latest(_ found: VaultExamination, _ home: Home) -> Finding? {
    let advice = """
      Nothing is signed until you decide. See what is missing: holdfast vault check. Then put the newer vault.db back, or go on with \
      this one: holdfast vault accept
      """
    if found.settings.contains(RollbackFinding.setting) {
      return .bad(
        "vault-put-back", "The vault was found to be an older copy, and you have not decided yet what to do.", advice: advice)
    }
    if found.settings.contains(StateWhileLocked.setting) {
      return .warning(
        "vault-put-back", "The signer was started while locked and could not compare the vault with all of the log yet.",
        advice: "Start the signer and unlock it: holdfast unlock")
    }
    // Without the summary, which tells the state, there is nothing to compare: the damage is named.
    guard found.changedKind != "\(RecordKind.summary.name)", let known = try? AuditLog.headVault(folder: home.log) else {
      return nil
    }
    guard let putBack = RollbackFinding.compare(found.mark.flatMap({ VaultMark($0) }), with: known) else {
      return .good("vault-put-back", "The vault is the one the log knows.")
    }
    return .bad("vault-put-back", putBack.sentence, advice: advice)
  }

  /// Whether the log goes as far as the vault knows; nil where it does.
  private static func missingEntries(_ found: VaultExamination, _ home: Home) -> Finding? {
    guard let known = found.asked?.withBytes({ AuditAnchor(Array($0)) }) else { return nil }
    let advice = """
      Nothing is signed until you decide. Keep a copy of the folder, then put the newer folder “log” back from a copy; if there is none: \
      holdfast log renew
      """
    guard let extent = try? AuditLog.extent(folder: home.log) else {
      // What is wrong with one that is there, the check of the record says.
      guard access(home.log, F_OK) != 0, errno == ENOENT else { return nil }
      return .bad("log-put-back", "The log is missing: the vault knows of \(known.count) entries.", advice: advice)
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
          "There is no log. A vault has one from its beginning, and gets a new one at its next opening only after a repair.",
          advice: "Look for the folder “log” of this home: \(home.log)")
        : .good("log", "There is no record yet: nothing was done so far.")
    }
    do throws(AuditLogError) {
      let found = try AuditLog.verify(folder: home.log)
      guard let fault = found.fault else {
        return .good("log", "The record is sound: \(found.entries) entries, none changed, cut or moved.")
      }
      return .bad(
        "log", "The record is not what was written: \(fault.sentence).",
        advice: "Keep a copy of the folder before anything else. Put back the folder “log” from a copy, or: holdfast log renew")
    } catch {
      return .bad("log", "The record cannot be read (\(error)).", advice: "Look for a failing disk; keep a copy of the folder.")
    }
  }
}
