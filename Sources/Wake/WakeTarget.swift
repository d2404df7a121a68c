package import Encodings
package import Nostr
package import RemoteSigning
package import Sockets

/// The request that a push tells of: where it is, and the request itself if it fitted into the push.
package struct WakeTarget: Sendable {
  /// The relay that has it, and that gets the answer.
  package let relay: WebSocketURL
  package let eventID: Bytes32
  /// Not verified yet.
  package let event: Event?
  /// The key that it is for, as the push says; nil if it does not.
  package let signer: String?

  /// A request that must be fetched.
  package init(relay: WebSocketURL, eventID: Bytes32) {
    (self.relay, self.eventID, event, signer) = (relay, eventID, nil, nil)
  }

  /// What a push says.
  /// - Throws: `.relayMalformed` where no socket can be opened to its relay.
  package init(_ push: PushPayload) throws(PushPayloadError) {
    guard let relay = try? WebSocketURL(parsing: push.relay.text) else { throw .relayMalformed }
    (self.relay, eventID, event, signer) = (relay, push.eventID, push.event, push.signer)
  }

  /// The payload of a push.
  /// - Parameter payload: a stranger's bytes: whoever knows a device's push address can send it any.
  package init(payload: [UInt8]) throws(PushPayloadError) { try self.init(PushPayload(parsing: payload)) }
}
