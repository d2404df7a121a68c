import APNs
import Curve
import Encodings
import Foundation
import JSON
import Platform
import Sockets
import TestSupport
import Testing

@testable import PushProxy

@Suite("The push proxy over HTTP") struct ProxyServerTests {
  private static let token = String(repeating: "ab", count: 32)
  private static let register = #"{"token":"\#(token)"}"#
  private static let client = "4f355bdcb7cc0af728ef3cceb9615d90684bb5b2ca5f859ab0f0b704075871aa"
  private static func pair(_ relay: String = "wss://a.example") -> String {
    #"{"client_pubkey":"\#(client)","relay_urls":["\#(relay)"]}"#
  }

  private func with(_ bench: ProxyBench, _ body: (ProxyBench) throws -> Void) throws {
    defer { bench.stop() }
    try body(bench)
  }

  @Test("Clave's app registers, pairs, unpairs and unregisters, by either header") func flow() throws {
    try with(ProxyBench()) { bench throws in
      let key = try ProxyBench.key().publicKey
      for header in ["X-Clave-Auth", "Authorization"] {
        let got = try bench.post("/register", Self.register, header: header)
        #expect(got.status == 200 && got.body == Array(#"{"ok":true}"#.utf8))
        #expect(got.head.contains("content-type: application/json"))
        bench.now.change { $0 += 1 }
      }
      #expect(try bench.registrations.targets(of: key).map(\.target) == [.apple(DeviceToken(parsing: Self.token))])
      #expect(try bench.post("/pair-client", Self.pair()).status == 200)
      #expect(try bench.registrations.relays() == [relay("wss://a.example"): [key]])
      #expect(try bench.post("/unpair-client", #"{"client_pubkey":"\#(Self.client)"}"#).status == 200)
      #expect(try bench.registrations.relays().isEmpty)
      #expect(try bench.post("/unregister", Self.register).status == 200)
      #expect(try bench.registrations.keys().isEmpty)
    }
  }

  @Test("A password that a reverse proxy wants does not hide the app's own header") func twoHeaders() throws {
    try with(ProxyBench()) { bench throws in
      let headers = ["Authorization": "Basic eDp5", "X-Clave-Auth": try bench.authorization("/register", Self.register)]
      #expect(try bench.send("POST", "/register", headers, Self.register).status == 200)
    }
  }

  @Test("What is not signed for this request changes nothing") func unauthorized() throws {
    try with(ProxyBench()) { bench throws in
      let good = try bench.authorization("/register", Self.register)
      let other = #"{"token":"\#(String(repeating: "cd", count: 32))"}"#
      let wrong: [(String?, String)] = try [
        (nil, Self.register), ("Nostr ", Self.register), (good, other),
        (bench.authorization("/unregister", Self.register), Self.register),
        (bench.authorization("/register", Self.register, base: "https://evil.example"), Self.register),
        (bench.authorization("/register", Self.register, method: "GET"), Self.register),
      ]
      for (header, body) in wrong {
        let got = try bench.send("POST", "/register", header.map { ["X-Clave-Auth": $0] } ?? [:], body)
        #expect(got.status == 401 && got.error == "unauthorized")
        #expect(got.json?["message"]?.string?.hasSuffix(".") == true)
      }
      #expect(try bench.registrations.keys().isEmpty)
    }
  }

  @Test("The same authorization does nothing a second time") func replay() throws {
    try with(ProxyBench()) { bench throws in
      let headers = ["X-Clave-Auth": try bench.authorization("/register", Self.register)]
      #expect(try bench.send("POST", "/register", headers, Self.register).status == 200)
      #expect(try bench.post("/unregister", Self.register).status == 200)
      let again = try bench.send("POST", "/register", headers, Self.register)
      #expect(again.status == 401 && again.error == "replayed")
      #expect(try bench.registrations.keys().isEmpty)
    }
  }

  @Test(
    "A relay on this machine or inside a private network is refused unless that is allowed",
    arguments: [
      "ws://127.0.0.1:6379", "ws://localhost", "wss://10.0.0.1", "ws://192.168.1.1", "ws://169.254.169.254", "ws://[::1]",
      "ws://[fd00::1]", "ws://[::ffff:10.0.0.1]", "ws://100.64.0.1", "ws://0.0.0.0",
    ]) func inside(relay: String) throws
  {
    try with(ProxyBench()) { bench throws in
      #expect(try bench.post("/register", Self.register).status == 200)
      let got = try bench.post("/pair-client", Self.pair(relay))
      #expect(got.status == 400 && got.error == "invalid_relay_url")
      #expect(bench.registrations.counts.pairs == 0)
    }
    try with(ProxyBench(allowsInside: true)) { bench throws in
      #expect(try bench.post("/register", Self.register).status == 200)
      #expect(try bench.post("/pair-client", Self.pair(relay)).status == 200)
    }
  }

  @Test(
    "A push service on this machine, inside a private network or at another port is refused unless that is allowed",
    arguments: [
      "https://127.0.0.1/x", "https://localhost/x", "https://10.0.0.1/x", "https://[::1]/x", "https://up.example:8443/x",
    ])
  func insideService(endpoint: String) throws {
    let register = #"{"token":"\#(endpoint)"}"#
    try with(ProxyBench()) { bench throws in
      let got = try bench.post("/register", register)
      #expect(got.status == 400 && got.error == "invalid_body")
      #expect(try bench.registrations.keys().isEmpty)
      #expect(try bench.post("/register", #"{"token":"https://up.example/x"}"#).status == 200)
    }
    try with(ProxyBench(allowsInside: true)) { bench throws in #expect(try bench.post("/register", register).status == 200) }
  }

  @Test("A refusal of the registrations reaches the app with its numbers") func refusals() throws {
    try with(ProxyBench()) { bench throws in
      #expect(try bench.post("/pair-client", Self.pair()).error == "not_registered")
      #expect(try bench.post("/register", Self.register).status == 200)
      let key = try ProxyBench.key().publicKey
      for number in 1...5 {
        try bench.registrations.pair(client: numbered(number), relays: [relay("wss://a.example")], for: key, now: 1)
      }
      bench.now.change { $0 += 1 }
      let got = try bench.post("/pair-client", Self.pair())
      #expect(got.status == 409 && got.error == "pairing_limit" && got.json?["limit"] == 5 && got.json?["used"] == 5)
      #expect(try bench.post("/register", "{}").error == "invalid_body")
    }
  }

  @Test("Paths and methods that are not the proxy's are refused by name") func pathsAndMethods() throws {
    try with(ProxyBench()) { bench throws in
      let nothing = try bench.send("GET", "/admin")
      #expect(nothing.status == 404 && nothing.error == "not_found")
      let got = try bench.send("GET", "/register")
      #expect(got.status == 405 && got.error == "method_not_allowed" && got.head.contains("allow: post"))
      #expect(try bench.send("POST", "/health").status == 405)
    }
  }

  @Test("A body that is too long is refused") func longBodies() throws {
    try with(ProxyBench()) { bench throws in
      let long = #"{"token":"\#(String(repeating: "a", count: ProxyRequest.longestBody))"}"#
      let got = try bench.post("/register", long)
      #expect(got.status == 413 && got.error == "body_too_long")
      #expect(try bench.post("/register", long + long + long).status == 413)
    }
  }

  @Test("An address that asks too often waits, and another one does not") func addressRate() throws {
    var rates = ProxyServer.Rates()
    rates.address = .init(perSecond: 1, burst: 3)
    try with(ProxyBench(rates: rates)) { bench throws in
      let ask = { (address: String) in try bench.send("GET", "/health", ["X-Forwarded-For": address]) }
      for _ in 1...3 { #expect(try ask("203.0.113.7").status == 200) }
      let got = try ask("203.0.113.7")
      #expect(got.status == 429 && got.error == "too_many_requests" && got.head.contains("retry-after: 30"))
      #expect(try ask("203.0.113.8").status == 200)
      #expect(try ask("2001:db8::1").status == 200)
      bench.now.change { $0 += 1 }
      #expect(try ask("203.0.113.7").status == 200)
    }
  }

  @Test("A key that asks too often waits, from whatever address") func keyRate() throws {
    var rates = ProxyServer.Rates()
    rates.key = .init(perSecond: 1, burst: 2)
    try with(ProxyBench(rates: rates)) { bench throws in
      let ask = { (number: Int, key: String) in
        try bench.post("/register", #"{"token":"\#(Self.token)","n":\#(number)}"#, key: key, from: "203.0.113.\(number)").status
      }
      #expect(try [ask(1, "22"), ask(2, "22"), ask(3, "22"), ask(4, "33")] == [200, 200, 429, 200])
    }
  }

  @Test("While the disk is busy only so many requests wait, and the others are told to come back") func busy() throws {
    try with(ProxyBench(mostWaiting: 2)) { bench throws in
      let peers = try (0..<8).map { _ in try HTTPPeer(port: bench.listener.port) }
      // The disk is busy: the writer's lock is held.
      try bench.registrations.writer.withLock { _ in
        for (number, peer) in peers.enumerated() {
          let body = #"{"token":"\#(Self.token)","n":\#(number)}"#
          peer.say("POST", "/register", ["X-Clave-Auth": try bench.authorization("/register", body)], body)
        }
        #expect(comesTrue { (try? bench.send("GET", "/metrics").body).map { $0.contains("not_stored", atLeast: 4) } == true })
        #expect(try bench.send("GET", "/health").status == 200)
      }
      let statuses = try peers.map { try $0.answer().status }
      #expect(Set(statuses) == [200, 503] && statuses.count { $0 == 503 } >= 4)
    }
  }

  @Test("A request that waited too long for the disk is not made, and is told to come back") func late() throws {
    try with(ProxyBench()) { bench throws in
      var (peers, late): ([HTTPPeer], Int) = ([], 0)
      try bench.registrations.writer.withLock { _ in
        // The first are being stored, and those after them wait.
        while bench.server.waiting == 0, peers.count < 50 {
          let peer = try HTTPPeer(port: bench.listener.port)
          let body = #"{"token":"\#(Self.token)","n":\#(peers.count)}"#
          peer.say("POST", "/register", ["X-Clave-Auth": try bench.authorization("/register", body)], body)
          peers.append(peer)
          usleep(10_000)
        }
        late = bench.server.waiting
        bench.now.change { $0 += 11 }
      }
      #expect(late > 0)
      #expect(try peers.count { try $0.answer().status == 503 } >= late)
    }
  }

  @Test("Health has the members that Clave's proxy has") func health() throws {
    var figures = ProxyFigures()
    figures.lastEventAt = 1_795_906_760
    (figures.apple.sends.sendOk, figures.apple.sends.lastFailureReason, figures.apple.sessionAlive) = (7, "Unregistered", true)
    (figures.relays, figures.relaysConnected, figures.silentSeconds) = (3, 1, 59)
    (figures.web.sendFail, figures.web.lastFailureAt) = (2, 1_795_906_760)
    figures.web.lastFailureReason = "the service answered 403"
    try with(ProxyBench(figures: figures)) { bench throws in
      #expect(try bench.post("/register", Self.register).status == 200)
      bench.now.change { $0 += 90 }
      let got = try bench.send("GET", "/health")
      #expect(
        got.json == [
          "ok": true, "reason": nil, "total_tokens": 1, "unique_pubkeys": 1, "last_event_received_at": "2026-11-28T22:59:20.000Z",
          "uptime_seconds": 90, "public_relay": "wss://relay.example", "relays": 3, "relays_connected": 1,
          "apns": [
            "sessionConnects": 0, "sessionInvalidations": 0, "sendOk": 7, "sendFail": 0, "sendRetried": 0,
            "pruneOnBadDeviceToken": 0, "pruneOnUnregistered": 0, "lastSendAt": nil, "lastFailureAt": nil,
            "lastFailureReason": "Unregistered", "sessionAlive": true, "sessionAgeSeconds": nil,
          ],
          "webpush": [
            "sendOk": 0, "sendFail": 2, "sendRetried": 0, "lastSendAt": nil, "lastFailureAt": "2026-11-28T22:59:20.000Z",
            "lastFailureReason": "the service answered 403",
          ],
        ])
    }
  }

  @Test("Without any relay for a minute the proxy says that it is not well, and why") func silence() throws {
    var figures = ProxyFigures()
    figures.silentSeconds = 60
    try with(ProxyBench(figures: figures)) { bench throws in
      let got = try bench.send("GET", "/health")
      #expect(got.status == 503 && got.json?["ok"] == false && got.json?["relays_connected"] == 0)
      #expect(got.json?["reason"]?.string?.hasPrefix("No relay has been connected for 60 seconds, so nobody is woken.") == true)
      let ready = try bench.send("GET", "/ready")
      #expect(ready.status == 200 && ready.json == ["ok": true, "reason": nil], "signers can register all the same")
      #expect(try bench.send("POST", "/ready").status == 405)
    }
  }

  @Test("A proxy without access to Apple's service registers no Apple device") func noApple() throws {
    try with(ProxyBench(wakesApple: false)) { bench throws in
      let got = try bench.post("/register", Self.register)
      #expect(got.status == 400 && got.error == "apple_not_supported")
      #expect(got.json?["message"] == "This proxy does not send to Apple devices.")
      #expect(try bench.registrations.keys().isEmpty)
      #expect(try bench.post("/unregister", Self.register).status == 200)
      #expect(try bench.post("/register", #"{"token":"https://up.example/x"}"#).status == 200)
    }
  }

  @Test("One address adds so many devices in a day; renewing them, and other addresses, are not held up") func newDevices() throws
  {
    var rates = ProxyServer.Rates()
    rates.newDevices = 3
    try with(ProxyBench(rates: rates)) { bench throws in
      func register(_ number: Int, from address: String = "203.0.113.7") throws -> Got {
        let digits = String(number, radix: 16)
        let token = String(repeating: "0", count: 64 - digits.count) + digits
        bench.now.change { $0 += 1 }
        return try bench.post("/register", #"{"token":"\#(token)"}"#, from: address)
      }
      for number in [1, 2, 1, 1, 1, 3] { #expect(try register(number).status == 200) }
      let refused = try register(4)
      #expect(refused.status == 429 && refused.error == "novel_device_rate" && refused.head.contains("retry-after"))
      #expect(try register(1).status == 200, "it is registered already")
      #expect(try register(4, from: "203.0.113.8").status == 200)
      bench.now.change { $0 += 86_400 / 3 }
      #expect(try register(5).status == 200 && register(6).status == 429)
    }
  }

  @Test("A signer is told that an eleventh device made the proxy forget another one") func forgotten() throws {
    try with(ProxyBench()) { bench throws in
      let key = try ProxyBench.key().publicKey
      for number in 1...10 { try bench.registrations.register(device(number), for: key, now: Int64(number)) }
      #expect(try bench.post("/register", Self.register).json == ["ok": true, "forgotten": 1])
      bench.now.change { $0 += 1 }
      #expect(try bench.post("/register", Self.register).json == ["ok": true])
    }
  }

  @Test("Metrics count and name nobody, and can be turned off") func metrics() throws {
    var figures = ProxyFigures()
    (figures.ownRelays, figures.ownRelaysConnected, figures.relays, figures.relaysConnected) = (3, 2, 8, 7)
    try with(ProxyBench(figures: figures)) { bench throws in
      #expect(try bench.post("/register", Self.register).status == 200)
      #expect(try bench.post("/pair-client", Self.pair()).status == 200)
      #expect(try bench.send("POST", "/register").status == 401)
      let got = try bench.send("GET", "/metrics")
      let text = String(decoding: got.body, as: UTF8.self)
      #expect(got.status == 200 && got.head.contains("content-type: text/plain; version=0.0.4"))
      for line in [
        #"holdfast_push_build_info{version="\#(Version.text)"} 1"#, "holdfast_push_devices 1",
        #"holdfast_push_requests_total{result="ok"} 2"#,
        #"holdfast_push_requests_total{result="refused"} 1"#, "holdfast_push_clients 1",
        "holdfast_push_store_up 1", "holdfast_push_proxies 1", #"holdfast_push_own_relays{state="connected"} 2"#,
        #"holdfast_push_own_relays{state="waiting"} 1"#, #"holdfast_push_relays{state="connected"} 7"#,
      ] { #expect(text.contains(line + "\n")) }
      let key = try ProxyBench.key().publicKey.hex
      for secret in [Self.token, Self.client, key, "a.example"] { #expect(!text.contains(secret)) }
    }
    try with(ProxyBench(servesMetrics: false)) { bench throws in #expect(try bench.send("GET", "/metrics").status == 404) }
  }

  @Test("What a stopped proxy took is stored, and it takes nothing more") func stops() throws {
    let bench = try ProxyBench()
    #expect(try bench.post("/register", Self.register).status == 200)
    bench.server.stop()
    #expect(try bench.post("/pair-client", Self.pair()).error == "not_stored")
    bench.loop.stop(within: 200)
  }

  @Test("A full disk is told as 503, /ready says so until a trial passes, and the device is not registered") func fullDisk() async
  {
    await #expect(processExitsWith: .success) {
      let bench = try ProxyBench()
      let lines = bench.said
      bench.registrations.trouble.tell { line in lines.withLock { $0.append(line.text) } }
      try withFiles(below: 4_096) {
        let got = try bench.post("/register", Self.register)
        #expect(got.status == 503 && got.error == "not_stored" && got.head.contains("retry-after"))
        bench.registrations.tryAgain()
        let ready = try bench.send("GET", "/ready")
        #expect(ready.status == 503)
        let reason = try #require(ready.json?["reason"]?.string)
        #expect(reason.hasPrefix("push.sqlite cannot be written: ") && reason.hasSuffix(", so signers cannot register."))
        #expect(try bench.send("GET", "/metrics").body.split(separator: 10).contains(Array("holdfast_push_store_up 0".utf8)[...]))
      }
      #expect(try bench.registrations.keys().isEmpty)
      bench.registrations.tryAgain()
      #expect(try bench.send("GET", "/ready").status == 200)
      #expect(lines.withLock { $0.count } == 2 && lines.withLock { $0.last } == "push.sqlite can be written again.")
      #expect(try bench.registrations.recentClaims(10).isEmpty, "a trial leaves nothing")
      bench.now.change { $0 += 1 }
      #expect(try bench.post("/register", Self.register).status == 200)
      bench.stop()
    }
  }

  @Test(
    "Times are written in UTC",
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"), (951_782_399, "2000-02-28T23:59:59.000Z"), (951_782_400, "2000-02-29T00:00:00.000Z"),
      (1_709_251_200, "2024-03-01T00:00:00.000Z"), (4_107_542_400, "2100-03-01T00:00:00.000Z"),
      (253_402_300_799, "9999-12-31T23:59:59.000Z"), (Int64.max, "9999-12-31T23:59:59.000Z"), (-1, "1970-01-01T00:00:00.000Z"),
    ]) func times(seconds: Int64, text: String)
  {
    #expect(UTCTime.text(seconds) == text)
  }
}

extension [UInt8] {
  /// Whether the metrics have a sample with that label and at least that value.
  fileprivate func contains(_ label: String, atLeast least: Int) -> Bool {
    String(decoding: self, as: UTF8.self).split(separator: "\n").contains {
      $0.contains("\"\(label)\"") && (Int($0.split(separator: " ").last ?? "") ?? 0) >= least
    }
  }
}
