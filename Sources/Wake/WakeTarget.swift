package import Encodings
import JSON
package import Nostr
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

  /// The longest payload, in bytes. Apple's pushes have at most 4096.
  package static let longestPayload = 64 << 10

  /// A request that must be fetched.
  package init(relay: WebSocketURL, eventID: Bytes32) {
    (self.relay, self.eventID, event, signer) = (relay, eventID, nil, nil)
  }

  /// The payload of a push: `{"relay_url":…,"event_id":…,"signer_pubkey":…,"event":{…}}`; other members, such as Apple's `aps`, are passed
  /// over.
  /// - Parameter payload: a stranger's bytes: whoever knows a device's push address can send it any.
  package init(payload: [UInt8]) throws(WakeTargetError) {
    guard payload.count <= Self.longestPayload else { throw .payloadTooLong }
    guard let value = try? JSONValue(parsing: payload, limits: JSONLimits(bytes: Self.longestPayload, values: 4096)) else {
      throw .payloadMalformed
    }
    guard let url = value["relay_url"]?.string, let relay = try? WebSocketURL(parsing: url) else { throw .relayMalformed }
    self.relay = relay
    signer = value["signer_pubkey"]?.string
    let named = try value["event_id"].map { member throws(WakeTargetError) in try Self.id(member.string ?? "") }
    event = try value["event"].flatMap { member throws(WakeTargetError) in try Self.event(member) }
    guard let id = named ?? event?.id, event?.id ?? id == id else { throw .eventIDMalformed }
    eventID = id
  }

  /// - Throws: for a text that is not 64 lower-case hex digits.
  package static func id(_ text: String) throws(WakeTargetError) -> Bytes32 {
    guard let id = Bytes32(hex: text), id.hex == text else { throw .eventIDMalformed }
    return id
  }

  private static func event(_ member: JSONValue) throws(WakeTargetError) -> Event? {
    if case .null = member { return nil }
    guard let event = try? Event(parsing: member.serialized()) else { throw .eventMalformed }
    return event
  }
}

/// What is wrong with what names a request.
package enum WakeTargetError: Error, Sendable {
  case payloadTooLong, payloadMalformed, relayMalformed, eventIDMalformed, eventMalformed
}
