import AuditLog
import OwnerAPI
import Platform
import RemoteSigning
import Signer
import Vault

extension Operations {
  static let statusHandlers: [OperationHandler] = [.init(StatusShow.self) { operations, _, _ in operations.status() }]

  private func status() -> StatusShow.Response {
    var response = StatusShow.Response()
    (response.version, response.home) = (Version.text, core.home.path)
    (response.isRunning, response.isTrial, response.lock) = (running != nil, core.isTrial, lockState)
    response.identities = Int64(core.identities.all.count)
    response.deviceBinding = hasKeysOfThisDevice ? deviceBinding : nil
    (response.apps, response.links) = (Int64(core.engine.pairings.count), Int64(core.engine.openLinks.count))
    response.waiting = Int64(core.engine.pendingRequests.count)
    response.shareRequests = Int64(openShareRequests())
    response.logEntries = Int64(clamping: core.log.count)
    response.running = running?.report()
    return response
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

/// This program's version.
package enum Version {
  /// As releases are named.
  package static let text = "0.1.0"
}

/// Memory this process has in RAM, in KiB, as the kernel counts it.
func residentKiB() -> Int64 {
  let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
  guard file >= 0 else { return 0 }
  defer { close(file) }
  var bytes = [UInt8](repeating: 0, count: 128)
  let count = read(file, &bytes, bytes.count)
  guard count > 0 else { return 0 }
  let fields = bytes[..<count].split(separator: 0x20)
  guard fields.count > 1, let pages = Int64(String(decoding: fields[1], as: UTF8.self)) else { return 0 }
  return pages * Int64(getpagesize()) / 1024
}
