import Curve
import HTTPClient
import JSON
import Nostr
import RemoteSigning

/// Why the proxy did not do what it was asked.
struct ProxyFailure: Error, Sendable, Equatable {
  /// In words of our own, and what the proxy says of it in quotation marks.
  let text: String
  /// Whether the same request would be refused for long.
  var isLasting = false
  /// Whether the proxy does not know the device any more.
  var isForgotten = false
  /// How many seconds the proxy asked to wait; 0 for none.
  var retryAfter: Int64 = 0
}

/// Requests to a push proxy. Each goes over a connection of its own, signed by the one key that it is about (NIP-98).
package struct ProxyCall: Sendable {
  /// How long connecting, and a whole request, may take, in milliseconds.
  private static let connectMilliseconds = 5_000
  private static let totalMilliseconds = 10_000
  /// The longest headers and the longest body of an answer, in bytes.
  private static let longestHeaders = 32 << 10
  private static let longestAnswer = 8 << 10
  /// How much of the proxy's message about a refusal is shown, in bytes.
  private static let longestSentence = 200

  /// A PEM file of certificates to trust instead of the system's.
  let certificates: String?
  /// Asked several times a second whether to give up.
  let isCancelled: @Sendable () -> Bool

  package init(certificates: String?, isCancelled: @escaping @Sendable () -> Bool = { false }) {
    (self.certificates, self.isCancelled) = (certificates, isCancelled)
  }

  // MARK: what a key asks

  /// - Parameter now: seconds since 1970.
  func perform(_ step: Registration.Step, of entry: Registration, key: KeyPair, now: Int64) throws(ProxyFailure) {
    let (path, body) = Self.content(step, of: entry)
    let url = entry.proxy.text + path
    let bytes = body.serialized()
    guard let proof = try? NIP98.header(url: url, method: "POST", body: bytes, key: key, now: now) else {
      throw ProxyFailure(text: "the request could not be signed")
    }
    var request = request("POST", url, ["Authorization: \(proof)", "Content-Type: application/json"])
    request.body = .bytes(bytes)
    let response = try answer(to: request)
    guard response.status == 200, Self.json(response)?["ok"]?.bool == true else { throw Self.refusal(response) }
  }

  private static func content(_ step: Registration.Step, of entry: Registration) -> (path: String, body: JSONValue) {
    switch step {
    case .register: ("/register", ["token": entry.device.token])
    case .unregister: ("/unregister", ["token": entry.device.token])
    case .pair(let relays):
      ("/pair-client", ["client_pubkey": .string(entry.client.hex), "relay_urls": .array(relays.map { .string($0) })])
    case .unpair: ("/unpair-client", ["client_pubkey": .string(entry.client.hex)])
    }
  }

  // MARK: how the proxy is

  /// Asks the proxy how it is.
  /// - Returns: what is wrong, in words; nil for nothing.
  package func trouble(at proxy: ProxyAddress) -> String? {
    do throws(ProxyFailure) {
      let response = try answer(to: request("GET", proxy.text + "/health", []))
      if Self.json(response)?["ok"]?.bool == (response.status == 200) {
        return response.status == 200 ? nil : "it answers, but says that it is not well (\(response.status))"
      }
      return "what answers there is no push proxy (\(response.status))"
    } catch { return error.text }
  }

  // MARK: one request

  private func request(_ method: String, _ url: String, _ headers: [String]) -> HTTPRequest {
    var request = HTTPRequest(method, url, headers: headers)
    request.certificates = certificates
    request.limits.connectMilliseconds = Self.connectMilliseconds
    request.limits.totalMilliseconds = Self.totalMilliseconds
    request.limits.stallSeconds = 0
    request.limits.headerBytes = Self.longestHeaders
    request.limits.bodyBytes = Self.longestAnswer
    request.limits.bufferBytes = 16 << 10
    request.connection = .new
    request.isCancelled = isCancelled
    return request
  }

  private func answer(to request: HTTPRequest) throws(ProxyFailure) -> HTTPResponse {
    do throws(HTTPClientError) { return try request.perform() } catch { throw ProxyFailure(text: error.text) }
  }

  private static func json(_ response: HTTPResponse) -> JSONValue? { try? JSONValue(parsing: response.body) }

  private static func refusal(_ response: HTTPResponse) -> ProxyFailure {
    let json = json(response)
    let name = json?["error"]?.string ?? ""
    let known = Self.reasons[name] ?? ("it refused (\(response.status))", false)
    let text = (300..<400).contains(response.status) ? "it redirects (\(response.status)), which is not followed" : known.0
    return ProxyFailure(
      text: text + said(json?["message"]?.string), isLasting: known.1, isForgotten: name == "not_registered",
      retryAfter: response.retryAfter)
  }

  /// The proxy's own sentence, as a stranger's: cleaned, cut and in quotation marks.
  private static func said(_ message: String?) -> String {
    let words = ShownText.inSentence(message ?? "", limit: longestAnswer)
    guard !words.isEmpty else { return "" }
    guard words.utf8.count > longestSentence else { return ". It says: “\(words)”" }
    return ". It says: “\(ShownText.inSentence(words, limit: longestSentence))…”"
  }

  /// What the names of refusals mean, and whether they last.
  private static let reasons: [String: (String, Bool)] = [
    "unauthorized": (
      "it does not take the proof: its address must be exactly the one it calls itself, and the clocks must agree", false
    ),
    "replayed": ("it has seen this proof before", false),
    "invalid_body": ("it does not take this kind of device", true),
    "invalid_relay_url": ("it does not take the app's relays: they may be inside a private network", true),
    "relay_limit_per_pair": ("the app has too many relays for it", true),
    "pairing_limit": ("it has too many apps for this key", true),
    "novel_relay_quota": ("it has too many relays for this key", true),
    "novel_device_rate": ("it takes no more new devices from this network address today", false),
    "not_registered": ("it has forgotten this device", false),
    "too_many_requests": ("it was asked too often", false),
    "not_stored": ("it cannot store anything now", false),
  ]
}
