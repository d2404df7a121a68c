import AuditLog
import Encodings
import EntrustedShares
import Guardians
import Identities
import JSON
import OwnerAPI
import OwnerWords
import Platform
import RemoteSigning
import Signer
import Vault

extension Operations {
  static let statusHandlers: [OperationHandler] = [.init(StatusShow.self) { operations, _, _ in operations.status() }]

  private func status() -> StatusShow.Response {
    var response = StatusShow.Response()
    (response.version, response.home) = (Version.text, home.folder.path)
    response.vault = Hex.encode(Array(home.vault.id.prefix(4)))
    response.isUsualHome = home.folder.isUsual
    (response.isRunning, response.isTrial, response.lock) = (running != nil, home.isTrial, lockState)
    response.locksAt = locksAt
    response.identities = Int64(home.identities.all.count)
    response.deviceBinding = hasKeysOfThisDevice ? deviceBinding : nil
    (response.apps, response.links) = (
      Int64(home.engine.pairings.count { !$0.grant.isFirstUse }), Int64(home.engine.openLinks.count)
    )
    response.waiting = Int64(home.engine.pendingRequests.count)
    response.shareRequests = Int64(openShareRequests())
    response.logEntries = Int64(clamping: home.log.count)
    response.running = running?.report()
    return response
  }
}

extension Operations {
  private var hasKeysOfThisDevice: Bool { home.identities.all.contains { $0.protection.isThisDeviceOnly } }

  /// A vault that was just closed does not mention a TPM.
  private var deviceBinding: String { ((try? home.vault.deviceBinding) ?? .file).words }

  /// How many requests for a share that is kept here, or for one of the owner's shares, have no answer yet.
  private func openShareRequests() -> Int {
    ((try? services.guardians.requests()) ?? []).filter { $0.part != .asker && $0.isOpen }.count
  }
}
