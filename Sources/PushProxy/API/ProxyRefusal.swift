package import JSON

/// Why the proxy did not do what it was asked: a status, and a name that programs can rely on.
package struct ProxyRefusal: Error, Sendable, Hashable {
  /// The names, as Clave's proxy has them, and further ones of the same kind.
  package enum Name: String, Sendable {
    case unauthorized, replayed
    case invalidBody = "invalid_body"
    case invalidClientPubkey = "invalid_client_pubkey"
    case invalidRelayURLs = "invalid_relay_urls"
    case noRelays = "no_relays"
    case relayLimitPerPair = "relay_limit_per_pair"
    case invalidRelayURL = "invalid_relay_url"
    case pairingLimit = "pairing_limit"
    case novelRelayQuota = "novel_relay_quota"
    case novelRelayRate = "novel_relay_rate"
    case novelDeviceRate = "novel_device_rate"
    case relayLimitPerHost = "relay_limit_per_host"
    case relayTableFull = "relay_table_full"
    case notRegistered = "not_registered"
    case tooManyRequests = "too_many_requests"
    case bodyTooLong = "body_too_long"
    case appleNotSupported = "apple_not_supported"
    case notFound = "not_found"
    case methodNotAllowed = "method_not_allowed"
    case notStored = "not_stored"
  }

  package let status: Int
  package let name: Name
  /// What a person can read; never what a stranger wrote.
  package let message: String
  /// Numbers that belong to it, such as a limit and how much of it is used.
  let numbers: [Number]

  /// A member of the answer.
  struct Number: Sendable, Hashable {
    let name: String
    let value: Int64
  }

  init(_ status: Int, _ name: Name, _ message: String, _ numbers: [Number] = []) {
    (self.status, self.name, self.message, self.numbers) = (status, name, message, numbers)
  }

  /// The body of the answer: `error` and `code` are the name, `message` is a sentence.
  package var json: JSONValue {
    .object(
      [.init("error", .string(name.rawValue)), .init("code", .string(name.rawValue)), .init("message", .string(message))]
        + numbers.map { .init($0.name, .integer($0.value)) })
  }
}
