package import Curve
import JSON
package import Sockets

/// What a signer asks of the proxy.
package enum ProxyRequest: Sendable, Hashable {
  /// Wake this device for requests to the signer's key.
  case register(PushTarget)
  case unregister(PushTarget)
  /// Look at these relays, too, for what this client sends.
  case pair(PublicKey, relays: [WebSocketURL])
  case unpair(PublicKey)

  /// The longest body, in bytes.
  package static let longestBody = 16 << 10
  /// The most relays of one client.
  package static let mostRelays = 10

  /// - Parameters:
  ///   - path: of the request, without a query.
  ///   - body: from a stranger.
  /// - Returns: nil for a path that is none of the four.
  package init?(path: String, body: [UInt8]) throws(ProxyRefusal) {
    guard Self.paths.contains(path) else { return nil }
    guard body.count <= Self.longestBody else {
      throw ProxyRefusal(413, .bodyTooLong, "The body is longer than \(Self.longestBody) bytes.")
    }
    guard let json = try? JSONValue(parsing: body), case .object = json else {
      throw ProxyRefusal(400, .invalidBody, "The body is not a JSON object.")
    }
    switch path {
    case "/register": self = .register(try PushTarget(json["token"]))
    case "/unregister": self = .unregister(try PushTarget(json["token"]))
    case "/pair-client": self = .pair(try Self.client(json), relays: try Self.relays(json))
    default: self = .unpair(try Self.client(json))
    }
  }

  /// The paths of requests.
  static let paths: Set = ["/register", "/unregister", "/pair-client", "/unpair-client"]

  private static func client(_ json: JSONValue) throws(ProxyRefusal) -> PublicKey {
    guard let key = json["client_pubkey"]?.string.flatMap({ PublicKey(hex: $0) }) else {
      throw ProxyRefusal(400, .invalidClientPubkey, "“client_pubkey” must be a public key in 64 hex digits.")
    }
    return key
  }

  private static func relays(_ json: JSONValue) throws(ProxyRefusal) -> [WebSocketURL] {
    guard case .array(let values)? = json["relay_urls"] else {
      throw ProxyRefusal(400, .invalidRelayURLs, "“relay_urls” must be a list of relay addresses.")
    }
    guard !values.isEmpty else { throw ProxyRefusal(400, .noRelays, "“relay_urls” is empty.") }
    guard values.count <= mostRelays else {
      throw ProxyRefusal(
        400, .relayLimitPerPair, "A client can have at most \(mostRelays) relays.",
        [.init(name: "limit", value: Int64(mostRelays)), .init(name: "requested", value: Int64(values.count))])
    }
    var relays: [WebSocketURL] = []
    for value in values {
      guard let relay = value.string.flatMap({ try? WebSocketURL(parsing: $0) }) else {
        throw ProxyRefusal(400, .invalidRelayURL, "“relay_urls” has something that is not a ws:// or wss:// address.")
      }
      if !relays.contains(relay) { relays.append(relay) }
    }
    return relays
  }
}
