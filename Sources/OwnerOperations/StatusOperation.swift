internal import AuditLog
import EntrustedShares
import Guardians
import Identities
internal import JSON
internal import Platform
internal import RemoteSigning
internal import Signer
internal import Vault

extension Operations {
  func status() -> JSONValue {
    .object(
      [
        .init("version", .string(Version.text)), .init("home", .string(core.home.path)), .init("running", .bool(running != nil)),
        .init("trial", .bool(core.isTrial)),
        .init("locked", .bool(core.sessionLock.isLocked)), .init("suspended", .bool(core.sessionLock.isSuspended)),
        .init("identities", .integer(Int64(core.identities.all.count))),
        .init("device_binding", hasKeysOfThisDevice ? .string(deviceBinding) : .null),
        .init("clients", .integer(Int64(core.engine.pairings.count))),
        .init("links", .integer(Int64(core.engine.openLinks.count))),
        .init("waiting", .integer(Int64(core.engine.pendingRequests.count))),
        .init("share_requests", .integer(Int64(openShareRequests()))),
        .init("log_entries", .integer(Int64(clamping: core.log.count))),
      ] + (running?.report() ?? []))
  }
}

extension Operations {
  private var hasKeysOfThisDevice: Bool { core.identities.all.contains { $0.protection.isThisDeviceOnly } }

  /// A vault that is closed by now says nothing of a TPM.
  private var deviceBinding: String { ((try? core.vault.deviceBinding) ?? .file).words }

  /// How many ask for a share that is kept here, or for one of the owner's, and have no answer yet.
  private func openShareRequests() -> Int {
    ((try? services.guardians.requests()) ?? []).filter { $0.part != .asker && $0.isOpen }.count
  }
}
