import AuditLog
import Backups
import Console
import Identities
import JSON
import LocalApps
import OwnerAPI
import OwnerOperations
import OwnerWords
import Platform
import RemoteSigning
import Signer
import Sockets
import Vault

/// Connects the console to the operations, the log and the events.
extension Daemon {
  /// Serves the console to browsers, and sends events to open pages.
  func openConsole() throws(OperationError) {
    let (home, loop, workers, queue, uploads) = (home, loop, workers, queue, services.uploads)
    let hooks = ConsoleHooks(
      perform: { request, answer in queue.take(request, via: .console, answer) },
      work: { workers.submit($0) }, passkeys: Self.passkeys(home),
      passkeySlots: { home.passkeySlots },
      record: { event in Self.record(event, home) }, sessionEnded: { uploads.drop(session: $0) },
      // The daemon makes an identity when it first starts; what a new owner still needs is an app.
      isFirstRun: { home.identities.all.count <= 1 && home.engine.pairings.isEmpty },
      hasPassphrase: { home.hasPassphrase },
      isLocked: { home.sessionLock.isLocked }, isLockedDown: { home.sessionLock.isSuspended },
      after: { milliseconds, job in _ = loop.after(milliseconds: milliseconds, job) },
      now: { ConsoleTime(wall: Clock.seconds, steady: Clock.bootMilliseconds) })
    let console: Console
    let place = try consoleOptions(options, hub.endpoint)
    do { console = try Console(place, hooks) } catch { throw OperationError(error) }
    options.signInToken.map(console.take(signIn:))
    hub.endpoint.attach(console, LinkEndpoint(localApps))
    home.signerEvents.subscribe { [weak console] signerEvent in console.map { Self.tell($0, signerEvent) } }
  }

  /// The names that browsers may use, the best one for links first.
  private func consoleOptions(_ options: UpOptions, _ endpoint: Endpoint) throws(OperationError) -> Console.Options {
    let (isSecure, port) = (options.tls != nil, endpoint.port)
    let anywhere = options.host == "0.0.0.0" || options.host == "::"
    let own = options.host.contains(":") ? "[\(options.host)]" : options.host
    // Browsers allow passkeys only for names, and treat http as safe at "localhost".
    let local = (endpoint.namesHere + (anywhere ? [] : [own])).compactMap {
      ConsoleOrigin(isSecure: isSecure, host: $0, port: port)
    }
    let named = try Self.namedOrigins(options, endpoint)
    return Console.Options(
      origins: named.filter(\.isSecure) + local + named.filter { !$0.isSecure }, takesAnyAddress: anywhere, isSecure: isSecure,
      port: port, version: Version.text, unusualHome: home.folder.isUsual ? nil : home.folder.path)
  }

  /// The addresses of `--console-host`.
  private static func namedOrigins(_ options: UpOptions, _ endpoint: Endpoint) throws(OperationError) -> [ConsoleOrigin] {
    try options.consoleHosts.map { text throws(OperationError) in
      guard let origin = ConsoleOrigin(parsing: text, isSecure: options.tls != nil, port: endpoint.port) else {
        throw .usage("--console-host takes a name, or https://NAME.")
      }
      return origin
    }
  }

  /// Those by which another machine may reach the console.
  static func consoleElsewhere(_ options: UpOptions, _ endpoint: Endpoint) -> [String] {
    let named = (try? namedOrigins(options, endpoint)) ?? []
    return named.filter { $0.isSecure && !$0.isOnThisMachine }.map(\.text)
  }

  private static func passkeys(_ home: OpenedHome) -> PasskeyStorage {
    @Sendable func isDone(_ change: RecordChange) -> Bool { (try? home.vault.transaction([change])) != nil }
    return PasskeyStorage(
      load: { ((try? home.vault.records(.passkey)) ?? []).map(\.value) },
      put: { id, value in
        let change = RecordChange.put(.passkey, id, value, .afterFirstUnlock)
        // A known passkey gets its new use count, which is not recorded.
        if (try? home.vault.value(.passkey, id: id)) ?? nil != nil { return isDone(change) }
        return home.outbox.recorded(.event(.passkeyAdded)) { isDone(change) }
      },
      remove: { id in home.outbox.recorded(.event(.passkeyRemoved)) { isDone(.delete(kind: .passkey, id: id)) } })
  }

  private static func record(_ event: ConsoleEvent, _ home: OpenedHome) {
    switch event {
    case .signedIn(let means): home.log.append(.event(.signedIn, rule: AuditRule(clipping: means.rawValue))) { _ in }
    case .signInFailed(let count, let place): record(count, nil, .signInFailed, place, home)
    case .usedLinkTried(let count, let place):
      record(count, "with a link that was used already", place == .thisMachine ? nil : .usedSignInLink, place, home)
    case .closedLinkTried(let count, let place):
      record(count, "with a link that no longer works", place == .thisMachine ? nil : .signInFailed, place, home)
    case .sessionEnded(let why): home.log.append(.event(.sessionEnded, rule: AuditRule(clipping: why.rawValue))) { _ in }
    case .passkeyAdded, .passkeyRemoved: break  // recorded with the change
    case .passkeyMayBeCopied: home.sessionLock.report(.passkeyCounter)
    case .foreignWorker: home.sessionLock.reportBeside(.foreignWorker)
    }
    home.signerEvents.tell(.sessionsChanged)
  }

  /// Records failed sign-ins.
  /// - Parameter signal: nil for what the owner's own browser does with an old link, which is no incident.
  private static func record(
    _ count: Int, _ how: String?, _ signal: IncidentSignal?, _ place: SignInPlace?, _ home: OpenedHome
  ) {
    let origin = place.map { AttemptOrigin(.init($0), operation: "session/open") }
    let said = [how, origin?.words].compactMap { $0 }.joined(separator: ", ")
    var entry = AuditEntry.event(.signInFailed, rule: said.isEmpty ? nil : AuditRule(clipping: said))
    entry.amount = Int64(count)
    home.log.append(entry) { _ in }
    if let signal { home.sessionLock.report(signal, from: origin) }
  }

  private static func tell(_ console: Console, _ signerEvent: SignerEvent) {
    switch signerEvent {
    case .requestWaits, .requestEnded, .publishedFound: console.tell(.requests)
    case .clientsChanged: console.tell(.clients)
    case .identitiesChanged: console.tell(.identities)
    case .lockChanged: console.tell(.lock)
    case .statusChanged, .shareAsked: console.tell(.status)
    case .sessionsChanged: console.tell(.sessions)
    case .linkRefused: console.tell(.log)
    case .answersOwed, .revocationsChanged, .requestRefused: break
    case .guessing: console.endAllSessions(.guessing)
    case .incident(let incident):
      if !incident.isOwners {
        console.tell(.incident(text: incident.text, severity: incident.severity.rawValue, time: incident.time / 1000))
      }
      if incident.severity == .critical { console.endAllSessions() }
    }
  }
}

extension OpenedHome {
  /// Whether a passphrase opens the vault. A trial's is known to nobody.
  fileprivate var hasPassphrase: Bool { !isTrial && ((try? vault.slotTypes) ?? []).contains(.passphrase) }

  /// The passkeys that open a slot, for the console.
  fileprivate var passkeySlots: [PasskeySlot] {
    ((try? vault.slots) ?? []).compactMap { slot in
      guard slot.type == .passkey, let parameters = PasskeyParameters(slot.parameters) else { return nil }
      return PasskeySlot(
        id: slot.id, credentialID: parameters.credential, party: String(decoding: parameters.note, as: UTF8.self),
        salt: parameters.input, label: slot.label)
    }
  }
}

extension AttemptOrigin.Place {
  fileprivate init(_ place: SignInPlace) {
    self =
      switch place {
      case .network(let address): .network(address)
      case .thisMachine: .thisMachine
      case .user(let number): .user(number)
      }
  }
}
