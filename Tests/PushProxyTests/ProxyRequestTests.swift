import APNs
import Curve
import Encodings
import Foundation
import JSON
import Nostr
import SecretMemory
import Sockets
import TestSupport
import TestVectors
import Testing
import WebPush

@testable import PushProxy

@Suite("Requests to the push proxy") struct ProxyRequestTests {
  private static let token = String(repeating: "ab", count: 32)
  private static let client = "4f355bdcb7cc0af728ef3cceb9615d90684bb5b2ca5f859ab0f0b704075871aa"
  private static let point = Base64URL.string(
    bytes(
      "0460fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb67903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299"
    ))
  private static let auth = Base64URL.string([UInt8](repeating: 7, count: 16))

  private func request(_ path: String, _ body: String) throws -> ProxyRequest? {
    try ProxyRequest(path: path, body: Array(body.utf8))
  }

  private func refusal(_ path: String, _ body: String) -> ProxyRefusal? {
    do { _ = try request(path, body) } catch { return error as? ProxyRefusal }
    return nil
  }

  @Test("A device is registered by Apple's token, a browser's subscription or a UnifiedPush address") func targets() throws {
    let apple = try request("/register", #"{"token":"\#(Self.token.uppercased())"}"#)
    #expect(try apple == .register(.apple(DeviceToken(parsing: Self.token))))
    let unified = try request("/unregister", #"{"token":"https://ntfy.example/up?x=1"}"#)
    #expect(try unified == .unregister(.unifiedPush(PushEndpoint(parsing: "https://ntfy.example/up?x=1"))))
    let browser = try request(
      "/register",
      #"{"token":{"endpoint":"https://push.example/a","expirationTime":null,"keys":{"p256dh":"\#(Self.point)","auth":"\#(Self.auth)"}}}"#
    )
    guard case .register(.webPush(let receiver))? = browser else { throw ProxyRefusal(0, .notFound, "") }
    #expect(receiver.endpoint.text == "https://push.example/a" && receiver.auth == [UInt8](repeating: 7, count: 16))
  }

  @Test(
    "A token of another form is refused",
    arguments: [
      "", "[]", "x", "{}", #"{"token":1}"#, #"{"token":""}"#, #"{"token":"ab"}"#, #"{"token":"http://push.example/"}"#,
      #"{"token":"https://user@push.example/"}"#, #"{"token":{"endpoint":"https://push.example/"}}"#,
      #"{"token":{"endpoint":"https://push.example/","keys":{"p256dh":"AAAA","auth":"AAAAAAAAAAAAAAAAAAAAAA"}}}"#,
    ]) func otherTokens(body: String)
  {
    let refusal = self.refusal("/register", body)
    #expect(refusal?.name == .invalidBody && refusal?.status == 400)
  }

  @Test("A client is paired with its relays, each of them once") func pairing() throws {
    let body = #"{"client_pubkey":"\#(Self.client)","relay_urls":["wss://a.example","WSS://A.example/","ws://b.example:7000/x"]}"#
    guard case .pair(let client, let relays)? = try request("/pair-client", body) else { throw ProxyRefusal(0, .notFound, "") }
    #expect(client.hex == Self.client)
    #expect(relays.map(\.text) == ["wss://a.example", "ws://b.example:7000/x"])
    #expect(try request("/unpair-client", #"{"client_pubkey":"\#(Self.client)"}"#) == .unpair(client))
  }

  @Test(
    "What is wrong with a pairing has a name of its own",
    arguments: [
      (#"{"relay_urls":["wss://a.example"]}"#, ProxyRefusal.Name.invalidClientPubkey),
      (#"{"client_pubkey":"00","relay_urls":["wss://a.example"]}"#, .invalidClientPubkey),
      (#"{"client_pubkey":"C","relay_urls":"wss://a.example"}"#, .invalidRelayURLs),
      (#"{"client_pubkey":"C"}"#, .invalidRelayURLs), (#"{"client_pubkey":"C","relay_urls":[]}"#, .noRelays),
      (#"{"client_pubkey":"C","relay_urls":["https://a.example"]}"#, .invalidRelayURL),
      (#"{"client_pubkey":"C","relay_urls":[7]}"#, .invalidRelayURL), ("7", .invalidBody),
    ]) func wrongPairings(body: String, name: ProxyRefusal.Name)
  {
    let refusal = self.refusal("/pair-client", body.replacing(#""C""#, with: "\"\(Self.client)\""))
    #expect(refusal?.name == name && refusal?.status == 400)
  }

  @Test("A client has at most ten relays, and is told so with both numbers") func tooManyRelays() throws {
    let relays = (0..<11).map { "\"wss://r\($0).example\"" }.joined(separator: ",")
    let refusal = try #require(self.refusal("/pair-client", #"{"client_pubkey":"\#(Self.client)","relay_urls":[\#(relays)]}"#))
    #expect(refusal.json["error"] == "relay_limit_per_pair" && refusal.json["code"] == "relay_limit_per_pair")
    #expect(refusal.json["limit"] == 10 && refusal.json["requested"] == 11)
  }

  @Test("A long body is refused, and other paths are not the proxy's") func bodiesAndPaths() throws {
    #expect(refusal("/register", String(repeating: " ", count: 16_385))?.name == .bodyTooLong)
    #expect(try request("/health", "") == nil && request("/register/", "") == nil)
  }
}

@Suite("Authorization of requests to the push proxy") struct ProxyAuthorizationTests {
  private static let now: Int64 = 1_800_000_000
  private let body = Array(#"{"token":"x"}"#.utf8)

  private func key(_ byte: String = "22") throws -> KeyPair {
    try KeyPair(SecretKey(secret(hex: String(repeating: byte, count: 32))))
  }

  private func header(
    _ url: String = "https://push.example/register", key byte: String = "22", at time: Int64 = now
  ) throws -> [UInt8] {
    Array(try NIP98.header(url: url, method: "POST", body: body, key: key(byte), now: time).utf8)
  }

  private func ask(
    _ authorization: ProxyAuthorization, _ header: [UInt8]?, now: Int64 = now, body: [UInt8]? = nil
  ) -> Result<PublicKey, ProxyRefusal> {
    Result { () throws(ProxyRefusal) in
      try authorization.proof(of: header, method: "POST", path: "/register", body: body ?? self.body, now: now).key
    }
  }

  private func name(_ result: Result<PublicKey, ProxyRefusal>) -> ProxyRefusal.Name? {
    if case .failure(let refusal) = result { refusal.name } else { nil }
  }

  @Test(
    "An event authorizes one request, for the key that signed it", arguments: ["https://push.example", "https://push.example/"])
  func once(base: String) throws {
    let authorization = ProxyAuthorization(base: base)
    #expect(try ask(authorization, header()).get() == key().publicKey)
    #expect(try name(ask(authorization, header())) == .replayed)
    #expect(try name(ask(authorization, header(), now: Self.now + 60)) == .replayed)
    #expect(try ask(authorization, header(key: "33")).get() == key("33").publicKey)
  }

  @Test("An event that is dated ahead cannot be used again at the end of its time") func datedAhead() throws {
    let authorization = ProxyAuthorization(base: "https://push.example", most: 4)
    let header = try header(at: Self.now + 60)
    #expect(try ask(authorization, header).get() == key().publicKey)
    for byte in ["33", "44", "55"] { _ = try ask(authorization, self.header(key: byte, at: Self.now + 100), now: Self.now + 100) }
    #expect(name(ask(authorization, header, now: Self.now + 120)) == .replayed)
  }

  @Test("Without room to remember an event it is refused, and taken later") func full() throws {
    let authorization = ProxyAuthorization(base: "https://push.example", most: 2)
    for byte in ["33", "44"] { #expect(try name(ask(authorization, header(key: byte))) == nil) }
    #expect(try name(ask(authorization, header(key: "55"))) == .tooManyRequests)
    #expect(try name(ask(authorization, header(key: "55", at: Self.now + 61), now: Self.now + 61)) == nil)
  }

  @Test("A clock that is set back does not let events pass twice") func clockBack() throws {
    let authorization = ProxyAuthorization(base: "https://push.example", most: 4)
    let late = Self.now + 10_000
    #expect(try name(ask(authorization, header(at: late), now: late)) == nil)
    #expect(try name(ask(authorization, header())) == nil)
    #expect(try name(ask(authorization, header(), now: Self.now + 1)) == .replayed)
    #expect(try name(ask(authorization, header(at: late), now: late)) == .replayed)
  }

  @Test("Another address, body or time, and a missing header are refused") func others() throws {
    let authorization = ProxyAuthorization(base: "https://push.example")
    #expect(name(ask(authorization, nil)) == .unauthorized)
    #expect(try name(ask(authorization, header("https://push.example/unregister"))) == .unauthorized)
    #expect(try name(ask(authorization, header("https://evil.example/register"))) == .unauthorized)
    #expect(try name(ask(authorization, header(), body: [1])) == .unauthorized)
    #expect(try name(ask(authorization, header(), now: Self.now + 61)) == .unauthorized)
    #expect(try name(ask(authorization, header(), now: Self.now - 61)) == .unauthorized)
  }

  @Test("The published cases are decided as they say") func vectors() throws {
    for item in try Vectors.cases("nip98/vectors.json", "cases") {
      let url = try #require(item["url"] as? String)
      let place = try #require(url.dropFirst(8).firstIndex { $0 == "/" })
      let authorization = ProxyAuthorization(base: String(url[..<place]))
      let result = Result { () throws(ProxyRefusal) in
        try authorization.proof(
          of: Array((item["authorization"] as? String ?? "").utf8), method: item["method"] as? String ?? "",
          path: String(url[place...]),
          body: Array((item["body"] as? String ?? "").utf8), now: (item["now"] as? NSNumber)?.int64Value ?? 0
        ).key
      }
      #expect((name(result) == nil) == (item["valid"] as? Bool == true), "\(item["flaw"] as? String ?? "valid")")
    }
  }
}
