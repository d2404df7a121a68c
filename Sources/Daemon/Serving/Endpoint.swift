import Console
import Curve
import LocalApps
import Nostr
import Observability
package import OwnerAPI
import OwnerOperations
import Platform
import Relays
import Signer
import Sockets

/// The signer's one port, which serves the embedded relay and the console.
final class Endpoint: Sendable {
  /// Where the relay answers. Some apps put a slash at the end of every relay's address, others take it away.
  private static let relayPath = "/relay"
  private static func isRelay(_ path: String) -> Bool { path == relayPath || path == relayPath + "/" }

  private let relay: EmbeddedRelay?
  private let listeners: [Listener]
  private let admission: Admission
  private let attached: Locked<Attached?>
  /// The relay's address in links. Nil without an embedded relay.
  let relayURL: WebSocketURL?
  /// The address for a browser.
  let address: String
  /// Remarks for the owner: a port other than the usual one.
  let remarks: [String]

  /// - Parameters:
  ///   - work: runs the job for a message of so many bytes, if there is room.
  ///   - deliver: called with every event that the embedded relay accepted, and when it came.
  ///   - isUnheard: whether the signer could take an event, and has not had it from another relay.
  init(
    _ options: UpOptions, _ loop: EventLoop, _ monitoring: Monitoring,
    work: @escaping @Sendable (Int, @escaping @Sendable () -> Void) -> Bool, deliver: @escaping @Sendable (Event, UInt64) -> Void,
    isUnheard: @escaping @Sendable (Event) -> Bool
  ) throws(OperationError) {
    let admission = Admission()
    self.admission = admission
    var limits = RelayLimits()
    // If the system allows few descriptors, some are left for the owner.
    limits.connections = min(limits.connections, admission.mostConnections - SocketLimits.ownersConnections)
    let relay =
      options.embeddedRelay
      ? EmbeddedRelay(limits: limits, hooks: .init(work: work, deliver: deliver, now: { Clock.seconds }, isUnheard: isUnheard))
      : nil
    self.relay = relay
    let attached = Locked<Attached?>(nil)
    self.attached = attached
    let service = Service(http: { request, answer in
      // Whatever its path: the program that had the port before chose it.
      if Console.isForeignWorker(request), let console = attached.withLock({ $0?.console }) {
        return console.answer(request, answer)
      }
      if Monitoring.concerns(request) { return monitoring.answer(request, answer) }
      if Self.isRelay(request.path) { return answer(Self.relayPage(request, relay)) }
      guard let (console, links) = attached.withLock({ $0 }) else { return answer(Self.notReady) }
      guard Console.isSigningLink(request) else { return console.answer(request, answer) }
      if let refusal = console.refusal(ofLink: request) { return answer(refusal) }
      links.answer(request, query: request.query.filter { !$0.hasPrefix(Console.ticket + "=") }, answer)
    }) { request in
      if let relay, Self.isRelay(request.path) { return relay.upgrade(request) }
      return attached.withLock { $0?.console }?.upgrade(request) ?? .refuse(Self.notReady)
    }
    let proxies = try options.trustedProxies.map { text throws(OperationError) in
      guard let range = AddressRange(parsing: text) else {
        throw .usage("--trusted-proxy takes an IP address, or a range such as 10.0.0.0/8.")
      }
      return range
    }
    let shared = Shared(admission: admission, proxies: proxies, service: service)
    let (listener, remark) = try Self.listen(options, loop, shared)
    let beside = Self.listenBeside(listener, options, loop, shared)
    (listeners, port) = ([listener, beside.listener].compactMap { $0 }, listener.port)
    (namesHere, remarks) = (beside.names, remark + beside.remarks)
    // A certificate is valid for a name, so links use the name that the owner gave. "All addresses" is none that an app could open.
    let anywhere = ["0.0.0.0", "::"].contains(options.host) ? Self.loopback(options.host)?.own : nil
    // "localhost" is another program's where that has one of its addresses.
    let isOurs = namesHere.contains("localhost")
    let usable = options.consoleHosts.filter { !$0.contains(":") && (isOurs || $0 != "localhost" && !$0.hasSuffix(".localhost")) }
    let named = options.tls == nil && anywhere == nil ? nil : usable.first
    let host = anywhere ?? options.host
    let shown = named ?? (host.contains(":") ? "[\(host)]" : host)
    let (web, socket) = options.tls == nil ? ("http", "ws") : ("https", "wss")
    address = "\(web)://\(shown):\(port)/"
    relayURL = relay == nil ? nil : try? WebSocketURL(parsing: "\(socket)://\(shown):\(port)\(Self.relayPath)")
  }

  private typealias Attached = (console: Console, links: LinkEndpoint)

  /// From now on, browsers get the console and answers to links.
  func attach(_ console: Console, _ links: LinkEndpoint) { attached.withLock { $0 = (console, links) } }

  /// The console, once it is attached.
  var console: Console? { attached.withLock { $0?.console } }

  /// The port that was bound.
  let port: UInt16
  /// The names at which a browser on this machine reaches this signer and no other program, the best one first. Empty if the signer
  /// listens at another address than 127.0.0.1, ::1, or all addresses.
  let namesHere: [String]

  func publish(_ event: Event) -> Bool { relay?.publish(event) ?? false }

  /// Sets which apps are paired. Their connections are not closed to make room for others.
  func setApps(_ apps: Set<PublicKey>) { relay?.setApps(apps) }

  /// What the port and the embedded relay did because all places were taken.
  var connections: Observation.Connections {
    let (port, relay) = (admission.counts, relay?.shortage ?? (pushedOut: 0, refused: 0, last: nil))
    return .init(
      open: port.open, limit: admission.mostConnections, pushedOut: port.pushedOut + relay.pushedOut,
      refused: port.refused + relay.refused, unfinished: port.unfinished,
      lastShortage: [port.lastShortage, relay.last].compactMap { $0 }.max())
  }

  func stopTaking() {
    relay?.stopTaking()
    for listener in listeners { listener.stopListening() }
  }

  /// The clients of the embedded relay. Nil without one.
  var clients: Observation.Embedded? {
    relay.map { relay in
      let counts = relay.counts
      return .init(
        connections: counts.connections, subscriptions: counts.subscriptions, kept: counts.kept, limit: relay.limits.connections)
    }
  }

  func health() -> [RelayStatus] {
    guard let relayURL, let clients else { return [] }
    return [RelayStatus(embeddedAt: relayURL, clients)]
  }

  // A trial without a given port takes another one if the usual port is taken. Otherwise that is an error.
  private static func listen(
    _ options: UpOptions, _ loop: EventLoop, _ shared: Shared
  ) throws(OperationError) -> (Listener, [String]) {
    let port = options.usedPort
    do { return (try loop.listen(place(options, options.host, port, shared), service: shared.service), []) } catch {
      guard error == .addressInUse, options.isTrial, options.port == nil else {
        throw OperationError(error, options.host, port)
      }
    }
    do {
      let listener = try loop.listen(place(options, options.host, 0, shared), service: shared.service)
      return (listener, ["Port \(port) is taken; this trial uses port \(listener.port)."])
    } catch { throw OperationError(error, options.host, 0) }
  }

  /// What all listeners of the port share.
  private struct Shared {
    let admission: Admission
    let proxies: [AddressRange]
    let service: Service
  }

  private static func place(_ options: UpOptions, _ host: String, _ port: UInt16, _ shared: Shared) -> Listener.Options {
    let tls = options.tls.map { TLSFiles(certificatePath: $0.certificate, privateKeyPath: $0.key) }
    var place = Listener.Options(.tcp(host: host, port: port), tls: tls)
    place.extraHeaders = Console.extraHeaders
    (place.admission, place.proxies) = (shared.admission, shared.proxies)
    return place
  }

  /// Browsers look for "localhost" at ::1 as well as at 127.0.0.1. If we listen at one, we also take the other. Otherwise another
  /// user's program could take it, and get the sign-in link.
  /// - Returns: also the names at which a browser on this machine reaches this signer and no other program, the best one first. Empty for any
  ///   other host than 127.0.0.1, ::1, or all addresses.
  private static func listenBeside(
    _ listener: Listener, _ options: UpOptions, _ loop: EventLoop, _ shared: Shared
  ) -> (listener: Listener?, names: [String], remarks: [String]) {
    guard let (own, other) = loopback(options.host) else { return (nil, [], []) }
    let both = ["localhost", "127.0.0.1", "[::1]"]
    do {
      return (try loop.listen(place(options, other, listener.port, shared), service: shared.service), both, [])
    } catch {
      guard error == .addressInUse else { return (nil, both, []) }  // a machine without IPv6: nobody can listen there
    }
    let remark =
      "Another program uses port \(listener.port) at \(other). The console is at \(own), where browsers have no passkeys."
    return (nil, [own.contains(":") ? "[\(own)]" : own], [remark])
  }

  /// The loopback address at which a host listens, and the other one that browsers try.
  private static func loopback(_ host: String) -> (own: String, other: String)? {
    switch host {
    case "127.0.0.1", "localhost", "0.0.0.0": ("127.0.0.1", "::1")
    case "::1", "::": ("::1", "127.0.0.1")
    default: nil
    }
  }

  private static let notReady = HTTPResponse(status: 503, text: "Holdfast is starting. Try again in a moment.")

  private static func relayPage(_ request: HTTPRequest, _ relay: EmbeddedRelay?) -> HTTPResponse {
    guard let relay, request.method == "GET" else { return HTTPResponse(status: 404, text: "There is nothing here.") }
    guard request.header("accept")?.contains("application/nostr+json") ?? false else {
      return HTTPResponse(status: 426, text: "This is a Nostr relay for remote signing. Connect to it with a WebSocket.")
    }
    return HTTPResponse(
      status: 200,
      headers: [.init("content-type", "application/nostr+json"), .init("access-control-allow-origin", "*")],
      body: relay.information(version: Version.text))
  }
}

extension UpOptions {
  /// Checks that the port is free, before anything is asked for that a start needs.
  package func checkPort() throws(OperationError) {
    let port = usedPort
    do { try Listener.checkFree(host: host, port: port) } catch { throw OperationError(error, host, port) }
  }
}

extension OperationError {
  init(_ error: SocketError, _ host: String, _ port: UInt16) {
    switch error {
    case .addressInUse:
      self.init(
        .failed, "Port \(port) on \(host) is taken.",
        hint: "Another program has it, perhaps a signer with another vault. Choose another port: --listen \(host):PORT")
    case .certificateNotUsable:
      self.init(
        .failed, "The certificate or its key cannot be used.",
        hint: "Give two PEM files that belong together with --tls-cert and --tls-key. The key must not be encrypted.")
    default:
      self.init(.failed, "Cannot listen on \(host) port \(port): \(error).", hint: "Choose another address: --listen HOST:PORT")
    }
  }
}
