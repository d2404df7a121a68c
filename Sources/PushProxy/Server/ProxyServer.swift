import Curve
import JSON
package import Platform
package import Sockets
import WebPush

/// The proxy's HTTP service: what signers ask, and how the proxy is.
///
/// A request is counted on the loop thread, and checked and stored on one thread of its own. What came meanwhile is stored together.
package final class ProxyServer: Sendable {
  /// How fast requests may come.
  package struct Rates: Sendable {
    /// From one address: an IPv4 address, or the first 64 bits of an IPv6 one.
    package var address = TokenBucket.Rate(perSecond: 4, burst: 240)
    /// In the name of one key.
    package var key = TokenBucket.Rate(perSecond: 1, burst: 60)
    /// Devices of one address in a day, without those that are registered already.
    package var newDevices = NewDevices.perDay

    /// Enough for an app with many accounts, and for several apps behind one address.
    package init() {}
  }

  /// How the proxy is reached, and what it allows.
  package struct Settings: Sendable {
    /// The public address without a path: `https://push.example`. Apps sign it.
    package var base: String
    /// What `/health` gives as `public_relay`.
    package var publicRelay: String?
    /// Whether pairs may name relays, and devices push services, on this machine or inside private networks.
    package var allowsInside = false
    /// Whether there is access to Apple's service.
    package var wakesApple = true
    /// Whether `/metrics` is answered.
    package var servesMetrics = true
    package var rates = Rates()

    package init(base: String) { self.base = base }
  }

  /// The clocks, which tests turn.
  struct Clocks: Sendable {
    var seconds: @Sendable () -> Int64 = { Clock.seconds }
    var milliseconds: @Sendable () -> Int64 = { Clock.bootMilliseconds }
  }

  /// What the headers of a request must keep besides those that libwebsockets knows.
  package static let extraHeaders = ["x-clave-auth"]
  /// The most requests that wait for the disk.
  package static let mostWaiting = 1_024
  /// How long a request waits for the disk at most, in milliseconds. Then its signer is told to come back, so that the others are not late, too.
  static let longestWait: Int64 = 10_000
  /// The most requests that are stored with one write.
  static let mostAtOnce = 128

  private struct Source { let look: @Sendable () -> ProxyFigures }

  /// A request that waits.
  struct Job: Sendable {
    let request: HTTPRequest
    /// When it came, in milliseconds.
    let since: Int64
    let answer: @Sendable (HTTPResponse) -> Void
  }

  private let settings: Settings
  private let registrations: any RegistrationsStore
  private let figures: Source
  private let clocks: Clocks
  private let began: Int64
  private let authorization: ProxyAuthorization
  private let limiter: ProxyLimiter
  private let newDevices: NewDevices
  private let queue: RequestQueue<Job>
  private let tally = Locked(ProxyTally())
  private let table: RelayTable
  private let ownNetworks = OwnNetworks.now()

  /// - Parameters:
  ///   - table: decides which relays of pairs are watched.
  ///   - figures: what `/health` and `/metrics` tell of relays and pushes. Called on the loop thread: it must not wait.
  package convenience init(
    _ settings: Settings, _ registrations: any RegistrationsStore, _ table: RelayTable,
    figures: @escaping @Sendable () -> ProxyFigures
  ) {
    self.init(settings, registrations, table, Clocks(), mostWaiting: Self.mostWaiting, figures: figures)
  }

  init(
    _ settings: Settings, _ registrations: any RegistrationsStore, _ table: RelayTable, _ clocks: Clocks, mostWaiting: Int,
    figures: @escaping @Sendable () -> ProxyFigures
  ) {
    (self.settings, self.registrations, self.table, self.clocks) = (settings, registrations, table, clocks)
    self.figures = Source(look: figures)
    began = clocks.milliseconds()
    authorization = ProxyAuthorization(base: settings.base)
    limiter = ProxyLimiter(settings.rates)
    newDevices = NewDevices(perDay: settings.rates.newDevices)
    queue = RequestQueue(most: mostWaiting, atOnce: Self.mostAtOnce)
  }

  /// Begins to answer.
  /// - Parameter options: the headers and the length of bodies are set here; the rest is the caller's, such as trusted proxies.
  /// - Throws: what `EventLoop.listen` throws, and `.stopped` when the system has no thread left.
  package func listen(on loop: EventLoop, _ options: Listener.Options) throws(SocketError) -> Listener {
    guard queue.start({ [weak self] in self?.handle($0) }) else { throw .stopped }
    var options = options
    options.extraHeaders += Self.extraHeaders
    // A little more than is allowed is read, so that the answer has a name. Beyond that the connection is refused.
    options.bodyBytes = 2 * ProxyRequest.longestBody
    do {
      return try loop.listen(
        options,
        service: Service(
          http: { [weak self] request, answer in
            self?.receive(request, answer) ?? answer(HTTPResponse(status: 503, text: "The proxy ends."))
          },
          upgrade: { _ in .refuse(Self.response(ProxyRefusal(404, .notFound, "There is no WebSocket here."))) }))
    } catch {
      queue.stop()
      throw error
    }
  }

  /// Takes no further requests, and returns when those that wait are answered. Not on the loop thread.
  package func stop() { queue.stop() }

  /// How many requests wait for the disk, without those that are being stored.
  var waiting: Int { queue.count }
}

// MARK: the loop thread

extension ProxyServer {
  private func receive(_ request: HTTPRequest, _ answer: @escaping @Sendable (HTTPResponse) -> Void) {
    let job = Job(request: request, since: clocks.milliseconds(), answer: answer)
    guard limiter.take(request.holder, now: job.since) else { return refuse(job, ProxyLimiter.refusal) }
    switch request.path {
    case "/health": job.answer(shown(request) { health })
    case "/ready": job.answer(shown(request) { ready })
    case "/metrics" where settings.servesMetrics: job.answer(shown(request) { metrics })
    case _ where ProxyRequest.paths.contains(request.path):
      guard request.method == "POST" else { return job.answer(Self.wrongMethod("POST")) }
      if !queue.submit(job) { refuse(job, Self.busy) }
    default: job.answer(Self.response(Self.nothingHere))
    }
  }

  private func shown(_ request: HTTPRequest, _ page: () -> HTTPResponse) -> HTTPResponse {
    request.method == "GET" || request.method == "HEAD" ? page() : Self.wrongMethod("GET, HEAD")
  }

  private var report: ProxyReport {
    ProxyReport(
      counts: registrations.counts, store: registrations.health, figures: figures.look(),
      uptime: max(0, clocks.milliseconds() - began) / 1_000,
      publicRelay: settings.publicRelay, requests: tally.withLock { $0 })
  }

  private var health: HTTPResponse {
    let report = report
    return Self.response(report.trouble == nil ? 200 : 503, report.health)
  }

  private var ready: HTTPResponse {
    let report = report
    return Self.response(report.troubleOfStore == nil ? 200 : 503, report.readiness)
  }

  private var metrics: HTTPResponse {
    Self.response(200, ProxyReport.metricsType, Array(report.metrics.utf8))
  }
}

// MARK: the queue's thread

extension ProxyServer {
  private func handle(_ jobs: [Job]) {
    var (taken, changes): ([(job: Job, leftOut: Int)], [Registrations.Change]) = ([], [])
    let oldest = clocks.milliseconds() - Self.longestWait
    for job in jobs {
      guard job.since >= oldest else {
        refuse(job, Self.busy)
        continue
      }
      do throws(ProxyRefusal) {
        let (change, leftOut) = try change(asked: job.request)
        changes.append(change)
        taken.append((job, leftOut))
      } catch { refuse(job, error) }
    }
    guard !changes.isEmpty else { return }
    for ((job, leftOut), (change, result)) in zip(taken, zip(changes, registrations.apply(changes))) {
      if change.isCounted, !result.isAdded { newDevices.giveBack(job.request.holder) }
      if let refusal = result.refusal { refuse(job, refusal) } else { accept(job, leftOut, result.forgotten) }
    }
  }

  /// - Returns: also how many relays of a pair are not watched.
  private func change(asked request: HTTPRequest) throws(ProxyRefusal) -> (change: Registrations.Change, leftOut: Int) {
    let now = clocks.seconds()
    let proof = try authorization.proof(
      of: Self.authorization(of: request), method: request.method, path: request.path, body: request.body, now: now)
    guard limiter.take(proof.key, now: clocks.milliseconds()) else { throw ProxyLimiter.refusal }
    guard let asked = try ProxyRequest(path: request.path, body: request.body) else { throw Self.nothingHere }
    if case .register(.apple) = asked, !settings.wakesApple { throw Self.noApple }
    if !settings.allowsInside { try refuseInside(asked) }
    let (kept, leftOut) = try withRoom(asked, request.holder)
    var change = Registrations.Change(kept, of: proof.key, now: now, proof: proof)
    if change.isRegistering { change.mayAdd = newDevices.take(request.holder, now: clocks.milliseconds()) }
    return (change, leftOut)
  }

  /// A pair keeps the relays that are watched. Without any it is refused.
  private func withRoom(_ asked: ProxyRequest, _ holder: Holder) throws(ProxyRefusal) -> (ProxyRequest, leftOut: Int) {
    guard case .pair(let client, let relays) = asked else { return (asked, 0) }
    let decision = table.decide(relays, for: holder, now: clocks.milliseconds())
    if decision.watched.isEmpty, let refusal = decision.refusal { throw refusal.answer }
    return (.pair(client, relays: decision.watched), relays.count - decision.watched.count)
  }

  /// Only what the address itself shows. Where a name leads is checked when it is connected to.
  private func refuseInside(_ asked: ProxyRequest) throws(ProxyRefusal) {
    switch asked {
    case .pair(_, let relays) where relays.contains(where: isInside):
      throw ProxyRefusal(400, .invalidRelayURL, "“relay_urls” has a relay on this machine or inside a private network.")
    case .register(let target):
      guard let endpoint = target.endpoint else { return }
      guard endpoint.port == 443, let address = try? WebSocketURL(parsing: "wss://\(endpoint.host)"), !isInside(address) else {
        throw ProxyRefusal(
          400, .invalidBody,
          "“token” names a push service on this machine, inside a private network, or at another port than 443.")
      }
    default: return
    }
  }

  private func isInside(_ address: WebSocketURL) -> Bool {
    address.isInsideAsWritten || ownNetworks.contains(asWritten: address)
  }

  /// The header of the event. A reverse proxy may use `Authorization` for a password of its own.
  private static func authorization(of request: HTTPRequest) -> [UInt8]? {
    let standard = request.header("authorization")
    let isNostr = standard?.lowercased().hasPrefix("nostr ") == true
    return (isNostr ? standard : request.header("x-clave-auth") ?? standard).map { Array($0.utf8) }
  }
}

extension Registrations.Change {
  fileprivate var isRegistering: Bool { if case .register = request { true } else { false } }
  /// Whether it was counted as a new device.
  fileprivate var isCounted: Bool { isRegistering && mayAdd }
}

// MARK: answers

extension ProxyServer {
  private func accept(_ job: Job, _ leftOut: Int, _ forgotten: Int) {
    tally.withLock { $0.note(nil) }
    let more = [("left_out", leftOut), ("forgotten", forgotten)].filter { $0.1 > 0 }
    job.answer(Self.response(200, .object([.init("ok", .bool(true))] + more.map { .init($0, .integer(Int64($1))) })))
  }

  private func refuse(_ job: Job, _ refusal: ProxyRefusal) {
    tally.withLock { $0.note(refusal) }
    job.answer(Self.response(refusal))
  }

  private static let busy = ProxyRefusal(503, .notStored, "Too many requests wait. Try again later.")
  private static let noApple = ProxyRefusal(400, .appleNotSupported, "This proxy does not send to Apple devices.")
  private static let nothingHere = ProxyRefusal(404, .notFound, "There is nothing here.")

  private static func wrongMethod(_ allowed: String) -> HTTPResponse {
    var response = response(ProxyRefusal(405, .methodNotAllowed, "Only \(allowed) is allowed here."))
    response.headers.append(HTTPHeader("allow", allowed))
    return response
  }

  /// Seconds after which a signer may try again.
  private static let patience = "30"

  private static func response(_ refusal: ProxyRefusal) -> HTTPResponse {
    var response = response(refusal.status, refusal.json)
    if refusal.status == 429 || refusal.status == 503 { response.headers.append(HTTPHeader("retry-after", patience)) }
    return response
  }

  private static func response(_ status: Int, _ json: JSONValue) -> HTTPResponse {
    response(status, "application/json", json.serialized())
  }

  private static func response(_ status: Int, _ type: String, _ body: [UInt8]) -> HTTPResponse {
    HTTPResponse(
      status: status,
      headers: [.init("content-type", type), .init("cache-control", "no-store"), .init("x-content-type-options", "nosniff")],
      body: body)
  }
}
