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

/// `holdfast doctor`: looks at everything a signer needs, says what is wrong and what to do about it. Changes nothing.
package struct Doctor: Sendable {
  private let home: Home
  private let relays: [String]
  private let checkpoint: String?

  /// - Parameters:
  ///   - relays: to be looked at besides those of a running signer.
  ///   - checkpoint: where a checkpoint of the log is kept; nil for what a running signer says.
  package init(home: Home, relays: [String] = [], checkpoint: String? = nil) {
    (self.home, self.relays, self.checkpoint) = (home, relays, checkpoint)
  }

  /// Whether a signer runs on the home; then no passphrase is needed.
  package var isSignerRunning: Bool { ControlClient.isDaemonRunning(home: home.path) }

  /// Makes all checks.
  /// - Parameters:
  ///   - passphrase: for a vault that nobody has open; without it the vault is not looked into.
  ///   - report: hears each finding as it is made, how many parts are done, and of how many.
  package func examine(evidence: ShownCredential?, _ report: (_ findings: [Finding], _ done: Int, _ total: Int) -> Void) {
    let status = ask("status")
    var found = Self.relays(in: status)
    found += relays.filter { text in
      !found.contains { RelayAddress.normal($0.url) ?? $0.url == RelayAddress.normal(text) ?? text }
    }.map { ($0, false, true) }
    let checkpoint = (checkpoint ?? status?["checkpoint"]?.string).map { CheckpointFile(path: $0) }
    let total = 5 + (checkpoint == nil ? 0 : 1) + found.count + ClientBehaviour.all.count
    var done = 0
    func tell(_ findings: [Finding]) {
      done += 1
      report(findings, done, total)
    }
    tell(MachineChecks.all(home: home))
    tell(FileChecks.all(home: home) + device(isRunning: status != nil))
    tell(vault(isRunning: status != nil, evidence))
    if let checkpoint { tell([checkpoint.finding(home)]) }
    tell(signer(status))
    tell(BackupChecks.findings(ask("backup/plan"), now: Clock.seconds))
    guard let loop = try? EventLoop() else {
      return tell([.bad("network", "The network could not be used.", advice: "Are there too many open files? ulimit -n")])
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

  private func vault(isRunning: Bool, _ evidence: ShownCredential?) -> [Finding] {
    guard Opening.hasVault(home) else {
      return [.bad("vault", "There is no vault at \(home.path).", advice: "Make one: holdfast init")]
    }
    if isRunning {
      guard let seen = ask("doctor/vault").flatMap({ try? DoctorVault.response(from: ControlResult($0)) }) else {
        return [
          .warning(
            "vault", "The running signer does not look into its vault now.",
            advice: "If it is locked: holdfast unlock, then again."),
          VaultChecks.record(home),
        ]
      }
      return VaultChecks.findings(seen) + [VaultChecks.record(home)]
    }
    guard let evidence else {
      return [
        .warning("vault", "The vault was not looked into: there is no passphrase.", advice: "Give it with --passphrase-file."),
        VaultChecks.record(home),
      ]
    }
    return VaultChecks.closed(home, evidence) + [VaultChecks.record(home)]
  }

  private func signer(_ status: JSONValue?) -> [Finding] {
    guard let status else { return [Self.port(), .good("signer", "No signer runs on this vault now.")] }
    let problems = status["problems"]?.array ?? []
    var findings = problems.map { problem in
      Finding.bad("signer", problem["text"]?.string ?? "", advice: problem["hint"]?.string ?? "")
    }
    if problems.isEmpty { findings.append(.good("signer", "The signer runs and says that all is well.")) }
    if let spent = status["dropped"]?["the link was used by an app before"]?.integer, spent > 0 {
      findings.append(
        .warning(
          "spent-link", "An app tried a link that another has used.", advice: "Each app needs a link of its own: holdfast pair"))
    }
    for (name, text) in Self.counted {
      guard let count = status[name]?.integer, count > 0 else { continue }
      findings.append(
        .warning(name, "\(count) \(text)", advice: "holdfast status tells how things are now; the relays below may say why."))
    }
    return findings
  }

  private static let counted = [
    ("unpublished", "answers were not taken by any relay since the start."),
    ("queue_full", "requests came while too many waited, and were left."),
    ("unrecorded", "requests could not be recorded and were refused."),
  ]

  private static func port() -> Finding {
    guard let loop = try? EventLoop() else {
      return .warning("port", "The usual port was not tried.", advice: "Are there too many open files? ulimit -n")
    }
    loop.start()
    defer { loop.stop(within: 500) }
    guard (try? loop.listen(.init(.tcp(host: "127.0.0.1", port: UpOptions.usualPort)), service: Service())) != nil else {
      return .warning(
        "port", "Port \(UpOptions.usualPort) on this machine is taken.",
        advice: "Another signer, perhaps. Start this one elsewhere: holdfast up --listen 127.0.0.1:PORT")
    }
    return .good("port", "Port \(UpOptions.usualPort) on this machine is free.")
  }

  private func clients(_ loop: EventLoop, at relay: String?, _ tell: ([Finding]) -> Void) {
    do throws(OperationError) {
      let signer = try TemporarySigner(at: relay.flatMap { try? WebSocketURL(parsing: $0) })
      defer { signer.end() }
      for habits in ClientBehaviour.all { tell([ClientChecks(loop: loop, signer: signer).look(at: habits)]) }
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
