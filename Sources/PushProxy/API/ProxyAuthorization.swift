package import Curve
package import Encodings
import Nostr
import Platform

/// A NIP-98 event that shows who sent a request.
package struct ProxyProof: Sendable, Hashable {
  /// The key that signed it.
  package let key: PublicKey
  /// The event's id.
  package let event: Bytes32
  /// The last second at which it can pass, since 1970.
  package let until: Int64
}

/// Who sent a request to the proxy: the key that signed its NIP-98 event.
///
/// The event is in the header `Authorization`, or in `X-Clave-Auth` as Clave's app sends it. Each event is accepted once. NIP-98 has no rule
/// against replays: whoever saw the header could send it again within a minute.
package final class ProxyAuthorization: Sendable {
  /// The most events that are remembered. When as many came within two minutes, further ones are refused.
  package static let mostRemembered = 200_000

  private struct Seen {
    /// The ids of events, by the second after which they cannot pass any more.
    var ids: [Bytes32: Int64] = [:]
    var cleared: Int64 = 0
  }

  private let base: String
  private let most: Int
  private let seen = Locked(Seen())

  /// - Parameters:
  ///   - base: the proxy's public address without a path: `https://push.example`. Events name it, and what they name must be the same byte
  ///     for byte.
  ///   - most: how many events are remembered.
  package init(base: String, most: Int = mostRemembered) {
    (self.base, self.most) = (base.hasSuffix("/") ? String(base.dropLast()) : base, most)
  }

  /// - Parameters:
  ///   - header: the value of one of the two headers, from a stranger; nil without one.
  ///   - path: with its query.
  ///   - body: as it was received.
  ///   - now: seconds since 1970.
  package func proof(
    of header: [UInt8]?, method: String, path: String, body: [UInt8], now: Int64
  ) throws(ProxyRefusal) -> ProxyProof {
    guard let header else { throw ProxyRefusal(401, .unauthorized, "The request has no Authorization header (NIP-98).") }
    let event: Event
    do { event = try NIP98.check(header, url: base + path, method: method, body: body, now: now) } catch {
      throw ProxyRefusal(401, .unauthorized, Self.sentence(error))
    }
    let proof = ProxyProof(key: event.pubkey, event: event.id, until: event.createdAt + NIP98.standardWindow)
    try spend(proof, now: now)
    return proof
  }

  private func spend(_ proof: ProxyProof, now: Int64) throws(ProxyRefusal) {
    let isSpent = try seen.withLock { seen throws(ProxyRefusal) in
      // The clock may have been set back: what was cleared then is cleared again from there.
      if now > seen.cleared || now < seen.cleared - 2 * NIP98.standardWindow {
        if seen.ids.count >= most / 2 { seen.ids = seen.ids.filter { $0.value >= now } }
        seen.cleared = now
      }
      guard seen.ids[proof.event] == nil else { return true }
      guard seen.ids.count < most else {
        throw ProxyRefusal(429, .tooManyRequests, "The proxy has taken too many requests. Try again in a minute.")
      }
      seen.ids[proof.event] = proof.until
      return false
    }
    guard !isSpent else { throw Self.replayed }
  }

  static let replayed = ProxyRefusal(401, .replayed, "This authorization was used before. Sign a new one.")

  private static func sentence(_ error: LoginError) -> String {
    switch error {
    case .wrongScheme: "The Authorization header does not begin with “Nostr ”."
    case .tooLong(let limit): "The Authorization header is longer than \(limit) bytes."
    case .notBase64: "The Authorization header is not base64."
    case .event: "The event in the Authorization header cannot be read, or its id or signature is wrong."
    case .wrongKind: "The event in the Authorization header is not of kind 27235."
    case .outsideWindow: "The event in the Authorization header is more than a minute old, or in the future. Check the clock."
    case .tagCount(let tag): "The event in the Authorization header must have exactly one tag “\(name(of: tag))”."
    case .mismatch(let tag): "The tag “\(name(of: tag))” of the event in the Authorization header is not this request's."
    }
  }

  private static func name(of tag: LoginError.Tag) -> String {
    switch tag {
    case .url: "u"
    case .method: "method"
    case .payload: "payload"
    case .relay: "relay"
    case .challenge: "challenge"
    }
  }
}
