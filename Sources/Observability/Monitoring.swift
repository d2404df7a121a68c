import JSON
import Platform
package import Signer
package import Sockets

/// `/healthz` and `/metrics` on the signer's one port, for a program on this machine that watches it.
///
/// Neither needs a sign-in. They tell how much is going on, never who or what: no key, no name, no app's relay. `Host` must still
/// be an IP address or `localhost`, so that a web page with a name that resolves to this machine cannot read them. `/metrics` is
/// refused when other machines can reach the port, unless the owner allows it with `--metrics`.
package final class Monitoring: Sendable {
  private struct Source: Sendable { let look: @Sendable () -> Observation }

  static let healthPath = "/healthz"
  static let metricsPath = "/metrics"

  private let servesMetrics: Bool
  private let allowsNames: Bool
  private let workers: Workers
  private let source = Locked<Source?>(nil)

  /// - Parameters:
  ///   - host: where the port listens.
  ///   - isOpen: whether `/metrics` is for everybody who can reach the port.
  package init(host: String, isOpen: Bool, _ workers: Workers) {
    self.workers = workers
    servesMetrics = isOpen || Self.isLoopback(host)
    allowsNames = isOpen
  }

  /// Begins to answer with observations.
  package func begin(_ look: @escaping @Sendable () -> Observation) { source.withLock { $0 = Source(look: look) } }

  /// Whether a request is for one of the two paths.
  package static func concerns(_ request: HTTPRequest) -> Bool { request.path == healthPath || request.path == metricsPath }

  /// Answers from a worker. That a worker is free to answer shows that the signer works.
  package func answer(_ request: HTTPRequest, _ answer: @escaping @Sendable (HTTPResponse) -> Void) {
    if let refusal = refusal(of: request) { return answer(refusal) }
    let isHealth = request.path == Self.healthPath
    guard let source = source.withLock({ $0 }) else { return answer(Self.starting) }
    let isTaken = workers.submit { answer(isHealth ? Self.health(source.look()) : Self.metrics(source.look())) }
    if !isTaken { answer(Self.closed(503, "The signer is busy.")) }
  }

  private func refusal(of request: HTTPRequest) -> HTTPResponse? {
    guard allowsNames || Self.isAddress(host: request.header("host") ?? "") else {
      return Self.closed(421, "Use the signer's IP address or localhost.")
    }
    guard request.method == "GET" || request.method == "HEAD" else { return Self.closed(405, "Only GET is allowed here.") }
    guard request.path == Self.healthPath || servesMetrics else {
      return Self.closed(404, "Only this machine can read the metrics. To allow others, start the signer with --metrics.")
    }
    return nil
  }

  // MARK: answers

  /// `{"status":"ok","problems":[]}`, with status 503 if there is a problem.
  static func health(_ seen: Observation) -> HTTPResponse {
    let problems = seen.problems
    let body = JSONValue.object([
      .init("status", problems.isEmpty ? "ok" : "degraded"), .init("problems", .array(problems.map { .string($0.rawValue) })),
      .init("version", .string(Version.text)), .init("uptime", .integer(seen.uptime)),
    ])
    return plain(problems.isEmpty ? 200 : 503, "application/json", body.serialized() + [0x0A])
  }

  static func metrics(_ seen: Observation) -> HTTPResponse {
    plain(200, PrometheusText.contentType, Array(Metrics.text(seen).utf8))
  }

  private static let starting = plain(
    503, "application/json", Array("{\"status\":\"degraded\",\"problems\":[\"starting\"]}\n".utf8))

  private static func closed(_ status: Int, _ text: String) -> HTTPResponse {
    plain(status, "text/plain; charset=utf-8", Array((text + "\n").utf8))
  }

  private static func plain(_ status: Int, _ type: String, _ body: [UInt8]) -> HTTPResponse {
    HTTPResponse(
      status: status,
      headers: [
        .init("content-type", type), .init("cache-control", "no-store"), .init("x-content-type-options", "nosniff"),
        .init("cross-origin-resource-policy", "same-origin"),
      ], body: body)
  }

  // MARK: addresses

  /// Whether only this machine can reach a listener on that host.
  package static func isLoopback(_ host: String) -> Bool {
    host == "localhost" || host == "::1" || isIPv4(host) && host.hasPrefix("127.")
  }

  /// Whether a `Host` header is an IP address or `localhost`, with or without a port. With DNS rebinding, a page's own name
  /// stands there.
  static func isAddress(host: String) -> Bool {
    let name: Substring
    if host.hasPrefix("[") {
      guard let end = host.firstIndex(of: "]") else { return false }
      let inner = host[host.index(after: host.startIndex)..<end]
      return !inner.isEmpty && inner.utf8.allSatisfy { Self.isHexDigit($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }
    }
    name = host.prefix { $0 != ":" }
    return name == "localhost" || isIPv4(String(name))
  }

  private static func isIPv4(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { !$0.isEmpty && $0.utf8.count <= 3 && UInt8($0) != nil && $0.utf8.allSatisfy(isDigit) }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
  private static func isHexDigit(_ byte: UInt8) -> Bool {
    isDigit(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
  }
}
