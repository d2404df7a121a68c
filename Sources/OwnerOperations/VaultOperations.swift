import AuditLog
import Ciphers
import Encodings
package import OwnerAPI
import OwnerWords
import Signer
package import Vault

/// Whether the vault is intact and the one that the log knows, as far as that can be found out while it is open.
extension Operations {
  static let vaultHandlers: [OperationHandler] = [
    .init(VaultCheck.self) { operations, _, _ in try operations.checkVault() },
    .init(VaultAccept.self) { _, _, _ in throw OperationError.stopFirst("holdfast vault accept") },
    .init(VaultRepair.self) { operations, request, _ in try operations.planRepair(request) },
    .init(DoctorVault.self) { operations, _, _ in try operations.examineVault() },
    .init(DoctorDevice.self) { operations, _, _ in try operations.deviceMark() },
  ]

  /// For an open vault. A vault that the log does not know is not opened.
  private func checkVault() throws -> VaultCheck.Response {
    var response = VaultCheck.Response()
    if let view = home.damagedView {
      var damage = DamageFound()
      (damage.sentence, damage.losses) = (view.sentence, view.told)
      response.damage = damage
      return response
    }
    guard !home.vault.isLocked || !home.log.hasUnread else { throw OperationError.unlockFirst }
    if let found = try RollbackFinding.look(at: home.vault, home.log) { throw SignerError.otherVault(found, missing: nil) }
    response.isSound = true
    return response
  }

  /// A vault in use is not repaired. For a view of a damaged one, this says what a repair would lose.
  private func planRepair(_ request: VaultRepair.Request) throws -> VaultRepair.Response {
    guard let view = home.damagedView, request.isPlan else {
      throw running == nil ? OperationError.nothingDamaged : .stopFirst("holdfast vault repair")
    }
    var response = VaultRepair.Response()
    (response.isPlan, response.losses) = (true, view.told)
    return response
  }

  /// What a running signer, or an opened vault, says about its records.
  private func examineVault() throws -> DoctorVault.Response {
    var response = DoctorVault.Response(try home.vault.examine())
    response.damaged += home.damagedView?.told.damaged.map(ExaminedDamage.init) ?? []
    return response
  }

  /// The mark of the device.key that the vault is bound to, for a check of the file.
  private func deviceMark() throws -> DoctorDevice.Response {
    var response = DoctorDevice.Response()
    response.mark = try home.vault.deviceMark.map { Hex.encode($0.bytes) }
    return response
  }
}

extension DoctorVault.Response {
  /// The result of checking every record.
  package init(_ found: VaultExamination) {
    self.init()
    (records, changedKind) = (Int64(found.records), found.changedKind)
    damaged = found.damaged.map { row in
      var damage = ExaminedDamage()
      (damage.kind, damage.row) = (row.kind, row.row)
      return damage
    }
    costs = found.costs.map { found in
      var cost = PassphraseCost()
      (cost.memoryMiB, cost.passes) = (Int64(found.memory >> 20), Int64(found.passes))
      return cost
    }
  }
}

extension ExaminedDamage {
  /// Adds what the loss of the record means.
  package init(_ record: DamagedRecord) {
    self.init()
    (kind, row) = (record.kind, record.row)
    var loss = ExaminedLoss()
    (loss.of, loss.meaning) = (record.of, record.meaning)
    self.loss = loss
  }
}
