import Ciphers
import Curve
import Encodings
import JSON
import Nostr
import SecretMemory
import TestSupport
import Testing

@testable import APNs
@testable import HTTPClient

@Suite("Provider tokens for Apple's push service") struct ProviderTokenTests {
  private static func key() throws -> P256.PrivateKey { try P256.PrivateKey(secret(hex: String(repeating: "17", count: 32))) }

  private func token() throws -> ProviderToken {
    try ProviderToken(Self.key(), keyID: "ABC123DEFG", teamID: "DEF123GHIJ")
  }

  private func parts(_ authorization: String) throws -> [String] {
    try #require(authorization.hasPrefix("bearer "))
    return authorization.dropFirst(7).split(separator: ".", omittingEmptySubsequences: false).map(String.init)
  }

  @Test("A token names key, team and time, and its signature is the key's") func content() throws {
    let parts = try parts(try token().authorization(now: 1_800_000_000))
    try #require(parts.count == 3)
    let decoded = try parts.map { try #require(Base64URL.decode(Array($0.utf8))) }
    #expect(try JSONValue(parsing: decoded[0]) == ["alg": "ES256", "kid": "ABC123DEFG"])
    #expect(try JSONValue(parsing: decoded[1]) == ["iss": "DEF123GHIJ", "iat": 1_800_000_000])
    let signature = try P256.Signature(raw: decoded[2])
    let publicKey = try Self.key().publicKey
    #expect(publicKey.isValid(signature, ofMessage: Array((parts[0] + "." + parts[1]).utf8)))
  }

  @Test(
    "A token serves for 50 minutes, and not before its time", arguments: [(0, true), (2_999, true), (3_000, false), (-1, false)])
  func age(seconds: Int64, isSame: Bool) throws {
    let token = try token()
    let first = try token.authorization(now: 1_800_000_000)
    #expect(try (token.authorization(now: 1_800_000_000 + seconds) == first) == isSame)
  }

  @Test("A refused token is replaced, but not more often than every 20 minutes", arguments: [(1_199, true), (1_200, false)])
  func refused(seconds: Int64, isSame: Bool) throws {
    let token = try token()
    let first = try token.authorization(now: 1_800_000_000)
    token.expire(now: 1_800_000_000 + seconds)
    #expect(try (token.authorization(now: 1_800_000_000 + seconds) == first) == isSame)
  }

  @Test("Proxies with one key use one token, which nobody else can read or change") func storedToken() throws {
    let (one, two, clock) = (try token(), try token(), Int64(1_800_000_000))
    let stored = try one.sealed(at: clock, now: clock)
    // The clock of the second proxy is an hour ahead.
    #expect(one.adopt(stored, clock: clock, now: clock) && two.adopt(stored, clock: clock + 60, now: clock + 3_660))
    let shared = try one.authorization(now: clock + 60)
    #expect(try two.authorization(now: clock + 3_660) == shared)
    #expect(!stored.contains(Array(shared.utf8.prefix(40).dropFirst(7))))
    for index in [0, 7, 8, 32, stored.count - 1] {
      var flipped = stored
      flipped[index] ^= 1
      #expect(!two.adopt(flipped, clock: clock, now: clock))
    }
    let key = try P256.PrivateKey(secret(hex: String(repeating: "18", count: 32)))
    #expect(try !ProviderToken(key, keyID: "ABC123DEFG", teamID: "DEF123GHIJ").adopt(stored, clock: clock, now: clock))
    #expect(!two.adopt([], clock: clock, now: clock))
    #expect(!two.adopt(Array(stored.prefix(20)), clock: clock, now: clock))
  }

  @Test(
    "A stored token of another key is not replaced while it serves",
    arguments: [(0, true), (2_399, true), (2_400, false), (-1, false)])
  func ofAnotherKey(seconds: Int64, serves: Bool) throws {
    let stored = try token().sealed(at: 1_800_000_000, now: 5)
    #expect(ProviderToken.serves(stored, clock: 1_800_000_000 + seconds) == serves)
    #expect(!ProviderToken.serves(stored, clock: .min) && !ProviderToken.serves([1, 2], clock: 5))
  }

  @Test(
    "A stored token serves for 40 minutes, and never before its time",
    arguments: [(0, true), (2_399, true), (2_400, false), (-1, false)])
  func storedAge(seconds: Int64, isUsed: Bool) throws {
    let stored = try token().sealed(at: 1_800_000_000, now: 1_800_000_000)
    #expect(try token().adopt(stored, clock: 1_800_000_000 + seconds, now: 5) == isUsed)
    #expect(try !token().adopt(stored, clock: .min, now: 5))
  }

  @Test("A stored token has the date of the machine that made it, whatever the database's clock says") func storedDate() throws {
    let token = try token()
    let stored = try token.sealed(at: 5, now: 1_800_000_000)
    #expect(token.adopt(stored, clock: 5, now: 1_800_000_000))
    let claims = try #require(token.authorization(now: 1_800_000_000).split(separator: ".").dropFirst().first)
    let plain = try #require(Base64URL.decode(String(claims)))
    #expect(String(decoding: plain, as: UTF8.self).contains("\"iat\":1800000000"))
  }

  @Test("A stored token that Apple refused is not used again") func storedAndRefused() throws {
    let (token, clock) = (try token(), Int64(1_800_000_000))
    let stored = try token.sealed(at: clock, now: clock)
    _ = token.adopt(stored, clock: clock, now: clock)
    let refused = try token.authorization(now: clock)
    token.expire(now: clock + 1_300)
    _ = token.adopt(stored, clock: clock + 1_300, now: clock + 1_300)
    #expect(try token.authorization(now: clock + 1_300) != refused)
  }

  @Test(
    "Identifiers that are not Apple's are refused",
    arguments: ["", "ABC123DEF", "ABC123DEFGH", "abc123defg", "ABC123DEF\"", "ÄBC123DEFG"])
  func identifiers(text: String) throws {
    #expect(throws: APNsError.notAnIdentifier) {
      try ProviderToken(Self.key(), keyID: text, teamID: "DEF123GHIJ")
    }
    #expect(throws: APNsError.notAnIdentifier) {
      try ProviderToken(Self.key(), keyID: "ABC123DEFG", teamID: text)
    }
  }
}

@Suite("The payload that wakes an Apple device") struct WakePayloadTests {
  private let signer = Result { try KeyPair(SecretKey(secret(hex: String(repeating: "22", count: 32)))) }

  private func event(content count: Int) throws -> Event {
    let key = try signer.get()
    return try UnsignedEvent(
      pubkey: key.publicKey, createdAt: 1_800_000_000, kind: 24133, tags: [["p", key.publicKey.hex]],
      content: String(repeating: "A", count: count)
    ).signed(by: key)
  }

  private func payload(_ event: Event, relay: String = "wss://relay.example/") throws -> WakePayload {
    WakePayload(relay: relay, id: event.id, event: event, signer: try signer.get().publicKey)
  }

  @Test("It says where the request is, which it is and for whom, and encloses it") func content() throws {
    let event = try event(content: 100)
    let bytes = try payload(event).bytes()
    let json = try JSONValue(parsing: bytes)
    #expect(
      json["aps"] == [
        "mutable-content": 1, "interruption-level": "passive", "alert": ["title": " ", "body": " "],
      ])
    #expect(json["relay_url"] == "wss://relay.example/")
    #expect(json["event_id"]?.string == event.id.hex)
    #expect(try json["signer_pubkey"]?.string == signer.get().publicKey.hex)
    #expect(try Event(parsing: #require(json["event"]).serialized(), limits: .standard) == event)
  }

  @Test("A request of up to 3415 bytes is enclosed, a longer one is fetched") func enclosed() throws {
    let rest = try event(content: 0).json().count
    let most = try event(content: WakePayload.longestEnclosed - rest)
    #expect(most.json().count == 3_415)
    let bytes = try payload(most).bytes()
    #expect(bytes.count <= WakePayload.maximumLength)
    #expect(try JSONValue(parsing: bytes)["event"] != nil)
    let longer = try event(content: WakePayload.longestEnclosed - rest + 1)
    #expect(try JSONValue(parsing: payload(longer).bytes())["event"] == nil)
  }

  @Test("A long address of a relay takes the request's place, and one that is too long is refused") func longRelay() throws {
    let event = try event(content: 2_900)
    let relay = "wss://relay.example/" + String(repeating: "x", count: 1_000)
    let bytes = try payload(event, relay: relay).bytes()
    #expect(bytes.count <= WakePayload.maximumLength)
    #expect(try JSONValue(parsing: bytes)["event"] == nil && JSONValue(parsing: bytes)["relay_url"]?.string == relay)
    #expect(throws: APNsError.tooLong) { try payload(event, relay: relay + String(repeating: "x", count: 4_000)).bytes() }
  }

  @Test("A relay's address cannot add members to the JSON") func quoting() throws {
    let relay = #"wss://relay.example/","event_id":"0"#
    #expect(try JSONValue(parsing: payload(event(content: 1), relay: relay).bytes())["relay_url"]?.string == relay)
  }
}

@Suite("Messages to Apple and its answers") struct APNsMessageTests {
  @Test("A device token is hex of 32 to 100 bytes") func deviceTokens() throws {
    let token = String(repeating: "aB", count: 32)
    #expect(try DeviceToken(parsing: token).hex == String(repeating: "ab", count: 32))
    #expect(try DeviceToken(parsing: String(repeating: "00", count: 100)).hex.count == 200)
    for bad in [
      "", token.dropLast() + "", token.dropLast(2) + "", token + "/x", token + "..", String(repeating: "00", count: 101),
      "zz" + token.dropFirst(2),
    ] {
      #expect(throws: APNsError.notADeviceToken) { try DeviceToken(parsing: bad) }
    }
  }

  @Test("A topic is a bundle identifier", arguments: ["", "a b", "a\r\nx: y", String(repeating: "a", count: 256), "ä"])
  func topics(text: String) throws {
    #expect(throws: APNsError.notATopic) { try APNsMessage.Service(topic: text) }
  }

  @Test("The request has the headers that Apple asks for") func request() throws {
    var service = try APNsMessage.Service(topic: "org.holdfast.signer")
    service.host = "localhost:2197"
    let message = APNsMessage(
      to: try DeviceToken(parsing: String(repeating: "ab", count: 32)), payload: [1, 2], expires: 1_800_000_060,
      collapseID: String(repeating: "c", count: 65))
    let request = message.request(service, authorization: "bearer x")
    #expect(request.method == "POST" && request.url == "https://localhost:2197/3/device/" + String(repeating: "ab", count: 32))
    #expect(
      request.headers == [
        "authorization: bearer x", "apns-topic: org.holdfast.signer", "apns-push-type: alert", "apns-priority: 10",
        "apns-expiration: 1800000060", "content-type: application/json", "apns-collapse-id: " + String(repeating: "c", count: 64),
      ])
  }

  @Test(
    "An answer decides what becomes of the message and of the token",
    arguments: [
      (200, "", APNsOutcome.delivered),
      (410, #"{"reason":"Unregistered","timestamp":1700000000123}"#, .gone(since: 1_700_000_000_123)),
      (410, "no JSON", .gone(since: nil)), (400, #"{"reason":"BadDeviceToken"}"#, .gone(since: nil)),
      (400, #"{"reason":"DeviceTokenNotForTopic"}"#, .gone(since: nil)),
      (400, #"{"reason":"BadTopic"}"#, .refused(status: 400, reason: .init("BadTopic"))),
      (403, #"{"reason":"ExpiredProviderToken"}"#, .tokenExpired),
      (403, #"{"reason":"InvalidProviderToken"}"#, .refused(status: 403, reason: .init("InvalidProviderToken"))),
      (413, #"{"reason":"<script>"}"#, .refused(status: 413, reason: .init(nil))),
      (429, #"{"reason":"TooManyRequests"}"#, .later(status: 429, seconds: 7)), (503, "", .later(status: 503, seconds: 7)),
    ])
  func answers(status: Int, body: String, outcome: APNsOutcome) {
    let response = HTTPResponse(status: status, body: Array(body.utf8), retryAfter: 7)
    #expect(APNsOutcome(.success(response)) == outcome)
  }

  @Test("A connection that breaks is a failure of its own") func broken() {
    #expect(APNsOutcome(.failure(.timedOut)) == .failed(.timedOut))
  }
}
