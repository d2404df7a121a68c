import Curve
import Encodings
import Nostr
import TestSupport
import Testing
import Threshold

@testable import Cosigning

@Suite("Messages of a group on their way over relays") struct EnvelopeTests {
  private let keys: [KeyPair]
  private let group: CosignGroup
  private let message: CosignMessage

  init() throws {
    let dealing = try TrustedDealer.split(try KeyPair.random().secretKey(), threshold: 2, members: 3)
    let keys = try dealing.shares.map { _ in try KeyPair.random() }
    self.keys = keys
    group = try CosignGroup(
      publicKey: dealing.commitment.publicKey, threshold: 2,
      members: zip(keys, dealing.shares).map { .init(key: $0.publicKey, publicShare: $1.publicShare) })
    message = CosignMessage(group: group.id, request: .fresh(), .decline(.asking))
  }

  private func open(_ event: Event, with key: Int, now: Int64 = 5_000_000) -> CosignError? {
    error { _ = try CosignEnvelope.open(event, with: keys[key], group: group, now: now) }
  }

  @Test("The reader learns who wrote it, and a relay sees nothing but the reader's key") func travels() throws {
    let event = try CosignEnvelope.seal(message, by: keys[0], for: keys[2].publicKey, now: 5_000_000)
    try event.verify()
    #expect(event.kind == 1059 && event.tags == [["p", keys[2].publicKey.hex]])
    let text = String(decoding: event.json(), as: UTF8.self)
    for hidden in [keys[0].publicKey.hex, group.id.hex, message.request.hex] { #expect(!text.contains(hidden)) }
    let opened = try CosignEnvelope.open(event, with: keys[2], group: group, now: 5_000_100)
    #expect(opened.from == 0 && opened.message.json() == message.json())
    #expect(open(event, with: 1) == .notSealed)
    let again = try CosignEnvelope.seal(message, by: keys[0], for: keys[2].publicKey, now: 5_000_000)
    #expect(again.pubkey != event.pubkey)
  }

  @Test("What is old, from a stranger, of another kind or for another group is refused") func refused() throws {
    func seal(_ message: CosignMessage, by author: KeyPair, now: Int64 = 5_000_000) throws -> Event {
      try CosignEnvelope.seal(message, by: author, for: keys[2].publicKey, now: now)
    }
    let event = try seal(message, by: keys[0])
    #expect(open(event, with: 2, now: 5_000_000 + CosignEnvelope.longestAge) == nil)
    #expect(open(event, with: 2, now: 5_000_001 + CosignEnvelope.longestAge) == .expired)
    #expect(open(event, with: 2, now: 5_000_000 - CosignEnvelope.longestLead) == nil)
    #expect(open(event, with: 2, now: 4_999_999 - CosignEnvelope.longestLead) == .expired)
    #expect(open(event, with: 2, now: .min) == .expired)
    #expect(try open(seal(message, by: try KeyPair.random()), with: 2) == .stranger)
    let other = CosignMessage(group: .fresh(), request: .fresh(), .decline(.asking))
    #expect(try open(seal(other, by: keys[0]), with: 2) == .otherGroup)
    let rumor = Rumor(UnsignedEvent(pubkey: keys[0].publicKey, createdAt: 5_000_000, kind: 14, content: "x"))
    let note = try NIP59.wrap(
      rumor, by: keys[0], for: keys[2].publicKey, times: .init(seal: 1, wrap: 1), wrapper: try KeyPair.random())
    #expect(open(note, with: 2) == .notSealed)
    func ask(_ length: Int) -> CosignMessage {
      let event = UnsignedEvent(pubkey: keys[0].publicKey, createdAt: 1, kind: 1, content: String(repeating: "x", count: length))
      return CosignMessage(group: group.id, request: .fresh(), .ask(.sign(event), expires: 1))
    }
    #expect(try open(seal(ask(40_000), by: keys[0]), with: 2) == nil)
    #expect(
      error { _ = try CosignEnvelope.seal(ask(CosignMessage.longest), by: keys[0], for: keys[2].publicKey, now: 1) } == .notSealed
    )
  }
}
