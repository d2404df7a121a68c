import Curve
import Encodings
import Foundation
import JSON
import Nostr
import TestVectors
import Testing

@Suite("NIP-98")
struct NIP98Tests {
  private static let url = "https://api.example.com/upload?name=a%20b&x=1"
  private static let now: Int64 = 1_700_000_000

  private func header(
    url: String = url, method: String = "POST", body: [UInt8] = "body".bytes, at time: Int64 = now
  ) throws -> [UInt8] { try NIP98.header(url: url, method: method, body: body, key: try Samples.key(1), now: time).bytes }

  private func check(_ header: [UInt8], body: [UInt8] = "body".bytes, payloadRequired: Bool = true) throws(LoginError) -> Event {
    try NIP98.check(header, url: Self.url, method: "POST", body: body, payloadRequired: payloadRequired, now: Self.now)
  }

  private func header(tags: [[String]], kind: Int = 27235) throws -> [UInt8] {
    let key = try Samples.key(1)
    let event = UnsignedEvent(pubkey: key.publicKey, createdAt: Self.now, kind: kind, tags: tags)
    return NIP98.header(for: try event.signed(by: key)).bytes
  }

  @Test("A login made here is accepted") func acceptsWhatItMakes() throws {
    let author = try Samples.key(1).publicKey
    #expect(try check(try header()).pubkey == author)
    #expect(try check("nostr ".bytes + (try header()).dropFirst(6)).pubkey == author)
    #expect(try check(try header(method: "post")).pubkey == author)
    for seconds in [-60, 60] as [Int64] { #expect(throws: Never.self) { try check(try header(at: Self.now + seconds)) } }
  }

  @Test("A login that is too old or in the future is refused") func refusesAnotherTimeEitherWay() throws {
    #expect(throws: LoginError.outsideWindow(seconds: 61)) { try check(try header(at: Self.now - 61)) }
    #expect(throws: LoginError.outsideWindow(seconds: -61)) { try check(try header(at: Self.now + 61)) }
    #expect(throws: LoginError.self) { try check(try header(at: .max)) }
  }

  @Test("A login for another request is refused") func refusesAnotherRequest() throws {
    #expect(throws: LoginError.mismatch(.url)) { try check(try header(url: "https://api.example.com/upload")) }
    #expect(throws: LoginError.mismatch(.method)) { try check(try header(method: "GET")) }
    #expect(throws: LoginError.mismatch(.payload)) { try check(try header(body: "other".bytes)) }
    #expect(throws: LoginError.mismatch(.payload)) { try check(try header(), body: []) }
    #expect(throws: LoginError.tagCount(.payload)) { try check(try header(body: [])) }
    #expect(throws: Never.self) { try check(try header(body: []), payloadRequired: false) }
  }

  @Test("A login with missing or repeated tags is refused") func refusesMissingAndRepeatedTags() throws {
    let (u, method) = (["u", Self.url], ["method", "POST"])
    #expect(throws: LoginError.tagCount(.url)) { try check(try header(tags: [method]), body: []) }
    #expect(throws: LoginError.tagCount(.url)) {
      try check(try header(tags: [u, method, ["u", "https://evil.example"]]), body: [])
    }
    #expect(throws: LoginError.tagCount(.method)) { try check(try header(tags: [u]), body: []) }
    #expect(throws: LoginError.wrongKind(1)) { try check(try header(tags: [u, method], kind: 1), body: []) }
    #expect(throws: Never.self) { try check(try header(tags: [u, method]), body: []) }
  }

  @Test("Malformed headers are refused") func refusesMalformedHeaders() throws {
    #expect(throws: LoginError.wrongScheme) { try check("Bearer x".bytes) }
    #expect(throws: LoginError.wrongScheme) { try check([]) }
    #expect(throws: LoginError.notBase64) { try check("Nostr !".bytes) }
    #expect(throws: LoginError.event(.json(.unexpectedEnd(at: 0)))) { try check("Nostr ".bytes) }
    #expect(throws: LoginError.tooLong(limit: 16384)) { try check([UInt8](repeating: 65, count: 16385)) }
  }

  @Test("A forged HTTP login is refused") func refusesAForgedEvent() throws {
    let key = try Samples.key(1)
    let event = try NIP98.event(url: Self.url, method: "POST", author: key.publicKey, now: Self.now).signed(
      by: try Samples.key(2))
    #expect(throws: LoginError.event(.invalidSignature)) { try check(NIP98.header(for: event).bytes, body: []) }
    let other = Event(
      id: Bytes32(), pubkey: event.pubkey, createdAt: event.createdAt, kind: event.kind, tags: event.tags, content: "",
      signature: event.signature)
    #expect(throws: LoginError.event(.wrongID)) { try check(NIP98.header(for: other).bytes, body: []) }
  }

  @Test("The published logins are accepted or refused as published", .vectors("NIP-98")) func vectors() throws {
    let faults: [String: (LoginError) -> Bool] = [
      "stale created_at (more than 60 s)": { if case .outsideWindow = $0 { true } else { false } },
      "wrong kind": { if case .wrongKind = $0 { true } else { false } },
      "method differs": { $0 == .mismatch(.method) }, "payload hash differs": { $0 == .mismatch(.payload) },
      "url differs": { $0 == .mismatch(.url) },
    ]
    for item in try Vectors.cases("nip98/vectors.json", "cases") {
      let body = (item["body"] as? String ?? "").bytes
      let check = { () throws -> Event in
        try NIP98.check(
          try #require(item["authorization"] as? String).bytes, url: try #require(item["url"] as? String),
          method: try #require(item["method"] as? String), body: body, now: try #require((item["now"] as? NSNumber)?.int64Value))
      }
      if item["valid"] as? Bool == true {
        #expect(throws: Never.self) { try check() }
      } else {
        let flaw = try #require(item["flaw"] as? String)
        let error = #expect(throws: LoginError.self, "\(flaw)") { try check() }
        if let isExpected = faults[flaw] { #expect(isExpected(try #require(error)), "\(flaw)") }
      }
    }
  }
}

@Suite("NIP-42")
struct NIP42Tests {
  private static let now: Int64 = 1_700_000_000

  private func login(
    _ relay: String = "wss://relay.example.com/", _ challenge: String = "c1", at time: Int64 = now
  ) throws -> Event {
    let key = try Samples.key(1)
    return try NIP42.event(relay: relay, challenge: challenge, author: key.publicKey, now: time).signed(by: key)
  }

  private func check(_ event: Event, challenge: String = "c1") throws(LoginError) {
    try NIP42.check(
      event, relays: ["ws://127.0.0.1:24133/relay", "wss://relay.example.com"], challenge: challenge, now: Self.now)
  }

  @Test(
    "A login may name any address of the relay",
    arguments: [
      "wss://relay.example.com", "wss://relay.example.com/", "WSS://Relay.Example.com:443/", "ws://127.0.0.1:24133/relay/",
    ])
  func acceptsEachNameOfTheRelay(relay: String) throws { #expect(throws: Never.self) { try check(try login(relay)) } }

  @Test(
    "A login for another relay is refused",
    arguments: [
      "ws://relay.example.com", "wss://relay.example.com/other", "wss://relay.example.com.evil", "wss://relay.example.com:444",
      "",
      "/",
      "ws://127.0.0.1:24133/Relay", "wss://relay.example.com?x",
    ])
  func refusesOtherRelays(relay: String) throws {
    let event = try login(relay)
    #expect(throws: LoginError.mismatch(.relay)) { try check(event) }
  }

  @Test("A login with another challenge, time or kind is refused") func refusesOtherChallengesTimesAndKinds() throws {
    #expect(throws: LoginError.mismatch(.challenge)) { try check(try login(), challenge: "c2") }
    #expect(throws: LoginError.mismatch(.challenge)) { try check(try login("wss://relay.example.com", ""), challenge: "") }
    #expect(throws: LoginError.outsideWindow(seconds: 601)) { try check(try login(at: Self.now - 601)) }
    #expect(throws: LoginError.outsideWindow(seconds: -601)) { try check(try login(at: Self.now + 601)) }
    #expect(throws: Never.self) { try check(try login(at: Self.now - 600)) }
    let key = try Samples.key(1)
    let note = try UnsignedEvent(pubkey: key.publicKey, createdAt: Self.now, kind: 1).signed(by: key)
    #expect(throws: LoginError.wrongKind(1)) { try check(note) }
    let bare = try UnsignedEvent(pubkey: key.publicKey, createdAt: Self.now, kind: 22242, tags: [["challenge", "c1"]]).signed(
      by: key)
    #expect(throws: LoginError.tagCount(.relay)) { try check(bare) }
  }

  @Test("A forged relay login is refused") func refusesAForgedEvent() throws {
    let event = try NIP42.event(
      relay: "wss://relay.example.com", challenge: "c1", author: try Samples.key(1).publicKey, now: Self.now
    )
    .signed(by: try Samples.key(2))
    #expect(throws: LoginError.event(.invalidSignature)) { try check(event) }
  }
}
