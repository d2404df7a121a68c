package import AuditLog
package import Curve
import Encodings
package import Identities
import JSON
package import Nostr
import OwnerAPI
import Platform
import RemoteSigning
package import SecretMemory
package import Vault

@testable import Guardians
@testable import KeyRotation
@testable import Notifications
@testable package import OwnerOperations
@testable package import Signer

/// A whole signer on a home: vault, log, engine, workers and operations are real; relays are a list.
package final class Signer: Sendable {
  package let home: TestHome
  package let core: OpenedHome
  package let workers: Workers
  private let threads: Int
  package let round: RequestRound
  package let relay: StubRelay
  package let service: SigningService
  package let operations: Operations
  /// Opens the log's entries, whatever becomes of the vault.
  package let logKey: SecretBox
  /// The service's time, in seconds since 1970, once a test has stopped its clock.
  private let stopped: Locked<Int64?>
  /// Whether requests are taken as by the thread that reads them, and not by a worker.
  private let isReading = Locked(false)

  /// Opens the home; makes a vault with one identity when there is none.
  /// - Parameters:
  ///   - isLocked: whether it starts as by the keyring, with the keys that stay open while locked only.
  ///   - keeping: makes it a trial.
  package init(
    _ home: TestHome = TestHome(), threads: Int = 2, shares: LogQuotas? = nil, isLocked: Bool = false,
    keeping: TrialKeeping? = nil
  ) throws {
    (self.home, self.threads) = (home, threads)
    if !Opening.hasVault(home.home) { _ = try home.withVault() }
    (core, logKey) = try isLocked ? Self.locked(home) : Self.unlocked(home, isTrial: keeping != nil)
    (workers, relay) = (Workers(count: threads), StubRelay(logFolder: home.home.log, key: logKey))
    let stopped = Locked<Int64?>(nil)
    self.stopped = stopped
    round = RequestRound(core.log, quickSync: .max, freshSync: .max)
    service = SigningService(
      home: core, workers: workers, round: round, publishing: relay.publishing,
      milliseconds: { stopped.withLock { $0 }.map { $0 * 1000 } ?? Clock.milliseconds }, shares: shares)
    operations = Operations(home: core, Services(core), running: Self.running(service, keeping))
    if core.identities.all.isEmpty { try operations.ask("identity/create", ["name": "main"]) }
  }

  private static func unlocked(_ home: TestHome, isTrial: Bool) throws -> (OpenedHome, SecretBox) {
    let core = try isTrial ? home.trial() : home.core()
    return (core, try DaemonSupport.logKey(core.vault))
  }

  private static func locked(_ home: TestHome) throws -> (OpenedHome, SecretBox) {
    let vault = try Opening.vault(home.home, ShownCredential(passphrase: box(TestHome.passphrase)))
    let logKey = try DaemonSupport.logKey(vault)
    vault.lock()
    return (try Opening.open(home: home.home, vault: vault), logKey)
  }

  /// Keeps all workers busy until the result is called.
  package func holdWorkers() -> @Sendable () -> Void {
    let (entered, release) = (Locked(0), Locked(false))
    for _ in 0..<threads {
      workers.submitAlways {
        entered.change { $0 += 1 }
        _ = release.wait { $0 ? true : nil }
      }
    }
    _ = entered.wait { [threads] in $0 == threads ? true : nil }
    return { release.change { $0 = true } }
  }

  /// Where the log takes nothing: as many entries wait in the vault as may.
  package func fillOutbox() {
    let entries = [AuditEntry](repeating: .event(.settingChanged), count: Outbox.mostWaiting - 1)
    core.outbox.recorded(entries) { (try? core.vault.transaction([.put(.setting, [1], [1])])) != nil }
    while core.outbox.recorded(
      [.event(.settingChanged)], body: { (try? core.vault.transaction([.put(.setting, [1], [2])])) != nil })
    {}
  }

  /// Stops as the daemon does.
  package func close() {
    settle()
    workers.close()
    core.close()
  }

  /// Closes, and opens the same home again.
  package func reopened() throws -> Signer {
    close()
    return try Signer(home)
  }

  package var now: Int64 { stopped.withLock { $0 } ?? Clock.seconds }

  /// Stops the service's clock at a time, in seconds since 1970.
  package func stopClock(at seconds: Int64) { stopped.withLock { $0 = seconds } }

  package var identity: Identity { get throws { try unwrap(core.identities.defaultIdentity) } }

  /// Waits until everything that was taken is carried out.
  package func settle() {
    _ = workers.drain(milliseconds: 20_000)
    for _ in 0..<3 {
      _ = try? core.log.appendAndWait(.event(.daemonStarted))  // its callback comes after all before it
      _ = workers.drain(milliseconds: 20_000)
    }
  }

  /// Fills the log with as many entries as there are between two notes of it in the vault.
  package func fillLog() {
    for _ in 0..<OpenedHome.entriesBetweenNotes { core.log.append(.event(.daemonStarted)) { _ in } }
    settle()
  }

  /// Lets an identity give way to a fresh key, as `identity rotate` stores it.
  package func rotate(_ old: PublicKey) throws {
    let (identities, time) = (core.identities, Clock.seconds)
    let key = try identities.keyPair(for: old)
    try core.outbox.recordingIdentity({ [.added($0), .rotated(old, to: $0.publicKey)] }) {
      _ = try identities.createSuccessor(NewIdentity("next"), now: time * 1000) { (new) throws(VaultError) in
        do {
          let statement = try Succession.statement(from: old, to: new.publicKey, reason: .rotated, now: time).signed(by: key)
          let draft = RotationDraft(old: old, reason: .rotated, hasNote: false, named: [])
          return [try draft.rotation(statement, note: nil, by: new, now: time).change]
        } catch { throw .outOfMemory }
      }
    }
    try core.loadRetired()
    try core.loadIdentities()
    _ = try identities.setRetired(true, old)
  }

  /// Seals the identity's key under another class, as `identity class` does.
  package func sealIdentity(under protection: ProtectionClass) throws {
    let id = try identity.publicKey.bytes.array
    let key = SecretBox(try core.vault.secret(kind: .identityKey, id: id))
    try core.vault.transaction([.put(.identityKey, id, key, protection)])
    try core.loadIdentities()
  }

  // MARK: apps

  /// A new link, and an app that knows it.
  package func appWithLink(trust: String = "medium", identity: String? = nil) throws -> (App, secret: String) {
    let given: [JSONValue.Member] = identity.map { [.init("identity", .string($0))] } ?? []
    let link = try operations.ask("pair/new", .object([.init("trust", .string(trust))] + given))
    let uri = try BunkerURI(parsing: try unwrap(link["bunker"]?.string))
    return (try App(signer: uri.remoteSigner), try unwrap(uri.secret))
  }

  /// An app that has paired.
  package func pairedApp(
    trust: String = "medium", name: String = "tester", key: KeyPair? = nil, identity: String? = nil
  ) throws -> App {
    let (first, secret) = try appWithLink(trust: trust, identity: identity)
    let app = try App(signer: first.signer, key: key)
    let answer = try ask(app, "connect", [app.signer.hex, secret, "", #"{"name":"\#(name)"}"#])
    guard answer == .result("ack") else { throw Missing() }
    settle()
    return app
  }

  /// Sends a request and waits for its answer.
  package func ask(_ app: App, _ method: String, _ parameters: [String] = []) throws -> App.Seen {
    let before = relay.sent.count
    try deliver(app, method, parameters)
    guard let sent = relay.sent(before + 1) else { throw Missing() }
    return try app.read(sent[before].event)
  }

  /// Sends a request and waits until it is dealt with, answered or not.
  @discardableResult
  package func deliver(_ app: App, _ method: String, _ parameters: [String] = []) throws -> Event {
    let event = try app.request(method, parameters, now: now)
    take(event)
    return event
  }

  package func take(_ event: Event) {
    if isReading.withLock({ $0 }) {
      service.take(event, from: .embedded, isVerified: false, mayWait: false)
    } else {
      workers.submitAlways { [service] in service.take(event, from: .embedded, isVerified: false) }
    }
    settle()
  }

  /// From here on requests are taken as by the thread that reads them.
  package func takeWhereRead() { isReading.withLock { $0 = true } }

  /// The names of requests in the vault; answers stand there beside them.
  package func storedRequests() throws -> [String] {
    try core.vault.ids(.pendingRequest).map { String(decoding: $0, as: UTF8.self) }.filter { !$0.hasPrefix("=") }
  }

  /// The log's entries of these kinds, oldest first.
  package func entries(_ kinds: AuditEntry.Kind...) throws -> [AuditEntry] {
    settle()
    return try AuditReader(folder: home.home.log, key: logKey).tail(10_000, matching: AuditFilter(kinds: Set(kinds))).map(\.entry)
  }

  private static func running(_ service: SigningService, _ keeping: TrialKeeping?) -> RunningSigner {
    RunningSigner(
      service,
      .init(
        greet: { _, _ in }, whenListening: { _, ready in ready([]) },
        linkRelays: { [RelayURL("ws://127.0.0.1:24133/relay")].compactMap { $0 } },
        signInLink: { _ in ("http://localhost:24133/#signin=test", 600) }, isConsoleHere: { true }, listenAnew: { _ in }),
      pushes: nil, guardians: nil, keeping: keeping, report: { nil })
  }
}
