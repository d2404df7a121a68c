import Daemon
import Encodings
import JSON
import LocalAccess
import OwnerAPI
package import OwnerOperations
import Platform
package import Signer
import Sockets
import Unlocking
import Vault

/// `holdfast doctor`: checks everything that a signer needs, and says what is wrong and what to do about it. Changes nothing.
package struct Doctor: Sendable {
  private let home: Home
  private let relays: [String]
  private let checkpoint: String?

  /// - Parameters:
  ///   - relays: relays to check besides those of a running signer.
  ///   - checkpoint: where a checkpoint of the log is kept. Nil takes the place that a running signer names.
  package init(home: Home, relays: [String] = [], checkpoint: String? = nil) {
    (self.home, self.relays, self.checkpoint) = (home, relays, checkpoint)
  }

  /// Whether a signer runs on the home. Then no credential is needed.
  package var isSignerRunning: Bool { ControlClient.isDaemonRunning(home: home.path) }

  /// Makes all checks.
  /// - Parameters:
  ///   - credential: opens a vault that no signer has open. Without it the vault's content is not checked.
  ///   - report: called with each finding as it is made, how many parts are done, and of how many.
  package func examine(credential: ShownCredential?, _ report: (_ findings: [Finding], _ done: Int, _ total: Int) -> Void) {
    let status = ask("status")
    var found = Self.relays(in: status)
    found += relays.filter { text in
      !found.contains { RelayAddress.normal($0.url) ?? $0.url == RelayAddress.normal(text) ?? text }
    }.map { ($0, false, true) }
    let checkpoint = (checkpoint ?? status?["checkpoint"]?.string).map { CheckpointFile(path: $0) }
    let total = 7 + (checkpoint == nil ? 0 : 1) + found.count + ClientBehaviour.all.count
    var done = 0
    func tell(_ findings: [Finding]) {
      done += 1
      report(findings, done, total)
    }
    tell(MachineChecks.all(home: home))
    tell(FileChecks.all(home: home) + device(isRunning: status != nil))
    tell(vault(isRunning: status != nil, credential))
    if let checkpoint { tell([checkpoint.finding(home)]) }
    tell(signer(status))
    tell(BackupChecks.findings(ask("backup/plan"), now: Clock.seconds))
    tell(PushChecks.findings(ask("push/status")))
    guard let loop = try? EventLoop() else {
      return tell([.bad("network", "The network could not be used.", advice: "Check the limit of open files: ulimit -n")])
    }
    loop.start()
    defer { loop.stop(within: 1_000) }
    for relay in found {
      tell([RelayChecks(loop: loop).look(at: relay.url, isEmbedded: relay.isEmbedded, isOwners: relay.isOwners)])
    }
    clients(loop, at: found.first { $0.isEmbedded }?.url, tell)
  }

  // MARK: parts

  private func device(isRunning: Bool) -> [Finding] {
    guard Opening.hasVault(home) else { return [] }
    return DeviceChecks.all(home: home, TPMSealer.here()) { () throws(VaultError) in
      isRunning ? try DeviceChecks.mark(toldBy: ask("doctor/device")) : try Vault.deviceMark(home: home.path)
    }
  }

  private func vault(isRunning: Bool, _ credential: ShownCredential?) -> [Finding] {
    guard Opening.hasVault(home) else {
      // Without the folder itself, or if it is another user's, its check says so already.
      guard access(home.path, F_OK) == 0, FileChecks.isOpen(home) else { return [] }
      return [.bad("vault", "There is no vault at \(home.path).", advice: "Make one: holdfast init")]
    }
    if isRunning {
      guard let seen = ask("doctor/vault").flatMap({ try? DoctorVault.response(from: ControlResult($0)) }) else {
        return [
          .warning(
            "vault", "The running signer could not check its vault.",
            advice: "If it is locked, run holdfast unlock, then check again."),
          VaultChecks.record(home),
        ]
      }
      return VaultChecks.findings(seen, isTrial: TemporaryHome.isOne(home)) + [VaultChecks.record(home)]
    }
    guard let credential else {
      return [
        .warning(
          "vault", "The vault was not checked, because the passphrase is missing.", advice: "Give it with --passphrase-file."),
        VaultChecks.record(home),
      ]
    }
    return VaultChecks.closed(home, credential) + [VaultChecks.record(home)]
  }

  private func signer(_ status: JSONValue?) -> [Finding] {
    guard let status else { return [port(), .good("signer", "No signer runs on this vault now.")] }
    let problems = status["problems"]?.array ?? []
    var findings = problems.map { problem in
      Finding.bad("signer", problem["text"]?.string ?? "", advice: problem["hint"]?.string ?? "")
    }
    if problems.isEmpty { findings.append(.good("signer", "The signer runs and reports no problems.")) }
    if let spent = status["dropped"]?["the link was used by an app before"]?.integer, spent > 0 {
      findings.append(
        .warning(
          "spent-link", "An app tried a link that another app has used.", advice: "Each app needs its own link: holdfast pair"))
    }
    for (name, text) in Self.counted {
      guard let count = status[name]?.integer, count > 0 else { continue }
      findings.append(
        .warning(
          name, "\(count) \(text)",
          advice: "To see the present state: holdfast status. The findings about relays below may explain it."))
    }
    return findings
  }

  private static let counted = [
    ("unpublished", "answers were accepted by no relay since the start."),
    ("queue_full", "requests were dropped because too many waited."),
    ("unrecorded", "requests were refused because the log could not record them."),
  ]

  private func port() -> Finding {
    let port = UpOptions(home: home).usedPort
    guard let loop = try? EventLoop() else {
      return .warning(
        "port", "Port \(port) on this machine could not be tried.", advice: "Check the limit of open files: ulimit -n")
    }
    loop.start()
    defer { loop.stop(within: 500) }
    guard (try? loop.listen(.init(.tcp(host: "127.0.0.1", port: port)), service: Service())) != nil else {
      return .warning(
        "port", "Port \(port) on this machine is taken.",
        advice: "Another signer may use it. Start this one on another port: holdfast up --listen 127.0.0.1:PORT")
    }
    return .good("port", "Port \(port) on this machine is free.")
  }

  private func clients(_ loop: EventLoop, at relay: String?, _ tell: ([Finding]) -> Void) {
    do throws(OperationError) {
      let signer = try TemporarySigner(at: relay.flatMap { try? WebSocketURL(parsing: $0) })
      defer { signer.end() }
      tell([
        .good("trial-signer", "A temporary signer runs. The simulated apps below are tried with it, not with a signer of yours.")
      ])
      for behaviour in ClientBehaviour.all { tell([ClientChecks(loop: loop, signer: signer).check(behaviour)]) }
    } catch {
      tell([.bad("client", "No trial signer could be started: \(error.error)", advice: error.hint ?? "See the findings above.")])
    }
  }

  // MARK: the running signer

  private func ask(_ operation: String) -> JSONValue? {
    guard case .success(let result)? = try? ControlClient.call(home: home.path, ControlRequest(operation, [:])) else {
      return nil
    }
    return result.json
  }

  private static func relays(in status: JSONValue?) -> [(url: String, isEmbedded: Bool, isOwners: Bool)] {
    (status?["relays"]?.array ?? []).compactMap { relay in
      relay["url"]?.string.map { ($0, relay["state"]?.string == "embedded", relay["may_be_inside"]?.bool == true) }
    }
  }
}
