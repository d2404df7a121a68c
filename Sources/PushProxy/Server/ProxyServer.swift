import Curve
import JSON
package import Platform
package import Sockets

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

    /// Enough for an app with many accounts, and for several apps behind one address.
    package init() {}
  }

  /// How the proxy is reached, and what it allows.
  package struct Settings: Sendable {
    /// The public address without a path: `https://push.example`. Apps sign it.
    package var base: String
    /// What `/health` gives as `public_relay`.
    package var publicRelay: String?
    /// Whether pairs may name relays on this machine or inside private networks.
    package var allowsInsideRelays = false
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
  /// The most requests that are stored with one write.
  static let mostAtOnce = 128

  private struct Source { let look: @Sendable () -> ProxyFigures }

  /// A request that waits.
  struct Job: Sendable {
    let request: HTTPRequest
    let answer: @Sendable (HTTPResponse) -> Void
  }

  private let settings: Settings
  private let registrations: any RegistrationsStore
  private let figures: Source
  private let clocks: Clocks
  private let began: Int64
  private let authorization: ProxyAuthorization
  private let limiter: ProxyLimiter
  private let queue: RequestQueue<Job>
  private let tally = Locked(ProxyTally())
  private let ownNetworks = OwnNetworks.now()

  /// - Parameter figures: what `/health` and `/metrics` tell of relays and pushes. Called on the loop thread: it must not wait.
  package convenience init(
    _ settings: Settings, _ registrations: any RegistrationsStore, figures: @escaping @Sendable () -> ProxyFigures
  ) {
    self.init(settings, registrations, Clocks(), mostWaiting: Self.mostWaiting, figures: figures)
  }

  init(
    _ settings: Settings, _ registrations: any RegistrationsStore, _ clocks: Clocks, mostWaiting: Int,
    figures: @escaping @Sendable () -> ProxyFigures
  ) {
    (self.settings, self.registrations, self.clocks) = (settings, registrations, clocks)
    self.figures = Source(look: figures)
    began = clocks.milliseconds()
    authorization = ProxyAuthorization(base: settings.base)
    limiter = ProxyLimiter(settings.rates)
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
            self?.receive(Job(request: request, answer: answer)) ?? answer(HTTPResponse(status: 503, text: "The proxy ends."))
          },
          upgrade: { _ in .refuse(Self.response(ProxyRefusal(404, .notFound, "There is no WebSocket here."))) }))
    } catch {
      queue.stop()
      throw error
    }
  }

  /// Takes no further requests, and returns when those that wait are answered. Not on the loop thread.
  package func stop() { queue.stop() }
}

// MARK: the loop thread

extension ProxyServer {
  private func receive(_ job: Job) {
    let request = job.request
    guard limiter.take(request.holder, now: clocks.milliseconds()) else { return refuse(job, ProxyLimiter.refusal) }
    switch request.path {
    case "/health", "/metrics":
      guard request.method == "GET" || request.method == "HEAD" else { return job.answer(Self.wrongMethod("GET, HEAD")) }
      guard request.path == "/health" || settings.servesMetrics else { return job.answer(Self.response(Self.nothingHere)) }
      job.answer(request.path == "/health" ? health : metrics)
    case _ where ProxyRequest.paths.contains(request.path):
      guard request.method == "POST" else { return job.answer(Self.wrongMethod("POST")) }
      if !queue.submit(job) { refuse(job, Self.busy) }
    default: job.answer(Self.response(Self.nothingHere))
    }
  }

  private var report: ProxyReport {
    ProxyReport(
      counts: registrations.counts, store: registrations.health, figures: figures.look(),
      uptime: max(0, clocks.milliseconds() - began) / 1_000,
      publicRelay: settings.publicRelay, requests: tally.withLock { $0 })
  }

  private var health: HTTPResponse {
    let report = report
    return Self.response(report.store.isReachable ? 200 : 503, report.health)
  }

  private var metrics: HTTPResponse {
    Self.response(200, ProxyReport.metricsType, Array(report.metrics.utf8))
  }
}

// MARK: the queue's thread

extension ProxyServer {
  private func handle(_ jobs: [Job]) {
    var (taken, changes): ([Job], [Registrations.Change]) = ([], [])
    for job in jobs {
      do throws(ProxyRefusal) {
        changes.append(try change(asked: job.request))
        taken.append(job)
      } catch { refuse(job, error) }
    }
    guard !changes.isEmpty else { return }
    for (job, refusal) in zip(taken, registrations.apply(changes)) {
      if let refusal { refuse(job, refusal) } else { accept(job) }
    }
  }

  private func change(asked request: HTTPRequest) throws(ProxyRefusal) -> Registrations.Change {
    let now = clocks.seconds()
    let proof = try authorization.proof(
      of: Self.authorization(of: request), method: request.method, path: request.path, body: request.body, now: now)
    guard limiter.take(proof.key, now: clocks.milliseconds()) else { throw ProxyLimiter.refusal }
    guard let asked = try ProxyRequest(path: request.path, body: request.body) else { throw Self.nothingHere }
    if case .pair(_, let relays) = asked, !settings.allowsInsideRelays { try refuseInside(relays) }
    return Registrations.Change(asked, of: proof.key, now: now, proof: proof)
  }

  /// Only what the address itself shows. Where a name leads is checked when the relay is connected to.
  private func refuseInside(_ relays: [WebSocketURL]) throws(ProxyRefusal) {
    guard !relays.contains(where: { $0.isInsideAsWritten || ownNetworks.contains(asWritten: $0) }) else {
      throw ProxyRefusal(400, .invalidRelayURL, "“relay_urls” has a relay on this machine or inside a private network.")
    }
  }

  /// The header of the event. A reverse proxy may use `Authorization` for a password of its own.
  private static func authorization(of request: HTTPRequest) -> [UInt8]? {
    let standard = request.header("authorization")
    let isNostr = standard?.lowercased().hasPrefix("nostr ") == true
    return (isNostr ? standard : request.header("x-clave-auth") ?? standard).map { Array($0.utf8) }
  }
}

// MARK: answers

extension ProxyServer {
  private func accept(_ job: Job) {
    tally.withLock { $0.note(nil) }
    job.answer(Self.response(200, .object([.init("ok", .bool(true))])))
  }

  private func refuse(_ job: Job, _ refusal: ProxyRefusal) {
    tally.withLock { $0.note(refusal) }
    job.answer(Self.response(refusal))
  }

  private static let busy = ProxyRefusal(503, .notStored, "Too many requests wait. Try again later.")
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
