import Curve
import Encodings
import JSON
import Nostr
import RemoteSigning
import Sockets
import Testing

@testable import Wake

@Suite("The request that a push tells of") struct WakeTargetTests {
  private static let id = String(repeating: "ab", count: 32)
  private static let relay = "wss://relay.example.com"

  private func target(_ text: String) throws(PushPayloadError) -> WakeTarget { try WakeTarget(payload: Array(text.utf8)) }

  @Test("A payload names a relay and an event, and what Apple adds is passed over") func named() throws {
    let found = try target(
      #"{"aps":{"mutable-content":1},"relay_url":"\#(Self.relay)","event_id":"\#(Self.id)","signer_pubkey":"\#(Self.id)"}"#)
    #expect(found.relay.text == Self.relay && found.eventID.hex == Self.id && found.event == nil && found.signer == Self.id)
  }

  @Test("An event in the payload must be the one that is named") func embedded() throws {
    let event = try UnsignedEvent(
      pubkey: KeyPair.random().publicKey, createdAt: 1, kind: EventKind.remoteSigning, tags: [], content: "x"
    ).signed(by: .random())
    let json = String(decoding: event.json(), as: UTF8.self)
    let found = try target(#"{"relay_url":"\#(Self.relay)","event":\#(json)}"#)
    #expect(found.eventID == event.id && found.event?.content == "x")
    #expect(throws: PushPayloadError.eventIDMalformed) {
      try target(#"{"relay_url":"\#(Self.relay)","event_id":"\#(Self.id)","event":\#(json)}"#)
    }
  }

  @Test(
    "Bytes that are no payload are refused",
    arguments: [
      "", "[]", "7", "{}", #"{"relay_url":7}"#, #"{"relay_url":"https://a.example","event_id":"\#(id)"}"#,
      #"{"relay_url":"\#(relay)"}"#, #"{"relay_url":"\#(relay)","event_id":"AB"}"#, #"{"relay_url":"\#(relay)","event":{}}"#,
      #"{"relay_url":"\#(relay)","event_id":"\#(id.uppercased())"}"#,
      #"{"relay_url":"\#(relay)","event_id":"\#(id)","more":"\#(String(repeating: "x", count: PushPayload.longest))"}"#,
    ]) func refused(text: String)
  { #expect(throws: PushPayloadError.self) { try target(text) } }

  @Test(
    "What a payload lacks is told apart from what is malformed in it",
    arguments: [
      ("{}", PushPayloadError.relayMissing), ("[]", .relayMissing), ("{", .malformed), (#"{"relay_url":"x"}"#, .relayMalformed),
      (#"{"relay_url":"\#(relay)"}"#, .eventMissing), (#"{"relay_url":"\#(relay)","event":null}"#, .eventMissing),
      (#"{"relay_url":"\#(relay)","event_id":"AB"}"#, .eventIDMalformed),
    ]) func lacking(text: String, fault: PushPayloadError)
  { #expect(throws: fault) { try target(text) } }

  @Test("Requests to an unused pairing link are processed first, then the others by age") func order() throws {
    let (link, pairing) = (try KeyPair.random().publicKey, try KeyPair.random().publicKey)
    func event(_ time: Int64, to recipient: PublicKey) throws -> Event {
      let key = try KeyPair.random()
      return try UnsignedEvent(
        pubkey: key.publicKey, createdAt: time, kind: EventKind.remoteSigning, tags: [["p", recipient.hex]], content: ""
      ).signed(by: key)
    }
    let events = [try event(2, to: pairing), try event(1, to: pairing), try event(3, to: link)]
    #expect(RequestOrder.ordered(events, links: [link]).map(\.createdAt) == [3, 1, 2])
  }
}
