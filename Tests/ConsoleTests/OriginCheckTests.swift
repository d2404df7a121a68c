import JSON
import OwnerAPI
import Platform
import SecretMemory
import Testing

@testable import Console
@testable import Sockets

/// Pages of strangers in the owner's browser, and strangers without one: nothing they send gets past the origin check.
@Suite(.serialized) struct OriginCheckTests {
  static let foreign: [([String: String], Int)] = [
    // DNS rebinding: the page's own name leads here.
    (["Host": "evil.example", "Origin": "http://evil.example"], 421),
    (["Host": "evil.example:PORT", "Origin": "http://evil.example:PORT"], 421),
    (["Host": "localhost.evil.example:PORT"], 421),
    (["Host": "localhost"], 421),
    (["Host": "localhost:1"], 421),
    (["Host": ""], 421),
    (["Host": "[::ffff:127.0.0.1]:PORT"], 421),
    // Another page, our address.
    (["Origin": "http://evil.example"], 403),
    (["Origin": "https://localhost:PORT"], 403),
    (["Origin": "http://localhost"], 403),
    (["Origin": "http://localhost:1"], 403),
    (["Origin": "http://127.0.0.1:PORT"], 403),
    (["Origin": "http://localhost:PORT.evil.example"], 403),
    (["Origin": "null"], 403),
    (["Origin": ""], 403),
    (["Sec-Fetch-Site": "cross-site"], 403),
    (["Sec-Fetch-Site": "same-site"], 403),
    (["Sec-Fetch-Site": "none"], 403),
    // What a form can send.
    (["Content-Type": "text/plain"], 415),
    (["Content-Type": "application/x-www-form-urlencoded"], 415),
    (["Content-Type": "multipart/form-data; boundary=x"], 415),
    (["Content-Type": ""], 415),
    // Without the page's token, or with another one.
    (["X-CSRF-Token": ""], 403),
    (["X-CSRF-Token": "AAAA"], 403),
    (["X-CSRF-Token": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"], 403),
    // Without the session.
    (["Cookie": ""], 401),
    (["Cookie": "holdfast-PORT="], 401),
    (["Cookie": "holdfast-PORT=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"], 401),
    (["Cookie": "holdfast=x"], 401),
  ]

  @Test("Calls from foreign pages and without a session are refused") func callsOfStrangersAreRefused() throws {
    let bench = try ConsoleBench()
    defer { bench.stop() }
    let owner = try bench.signedIn()
    for (changes, status) in Self.foreign {
      var browser = owner
      let real = changes.mapValues { $0.replacing("PORT", with: String(bench.listener.port)) }
      #expect(try browser.call("client/list", changes: real).status == status, "\(changes)")
    }
    #expect(bench.asked.withLock { $0.isEmpty })
    var browser = owner
    #expect(try browser.call("client/list").status == 200)
  }

  /// Two cookies of one name: one of them is not ours, and we cannot tell which.
  @Test("A request with two session cookies is refused") func aSecondCookieOfOurNameIsRefused() throws {
    let bench = try ConsoleBench()
    defer { bench.stop() }
    var browser = try bench.signedIn()
    let cookie = try #require(browser.cookie)
    #expect(try browser.call("client/list", changes: ["Cookie": "\(cookie); holdfast-\(bench.listener.port)=x"]).status == 401)
  }

  @Test("API calls with any method but POST are refused", arguments: ["GET", "PUT", "DELETE", "OPTIONS"])
  func callsAreMadeByPOST(method: String) throws {
    let bench = try ConsoleBench()
    defer { bench.stop() }
    let browser = try bench.signedIn()
    let got = try browser.send(
      method, "/api/v1/client/list",
      [
        "Host": bench.authority, "Origin": bench.origin, "Cookie": browser.cookie ?? "", "X-CSRF-Token": browser.csrf ?? "",
        "Content-Length": "0", "Content-Type": "application/json",
      ], [])
    #expect(got.status == 405)
    #expect(got.header("access-control-allow-origin") == nil)
    #expect(bench.asked.withLock { $0.isEmpty })
  }

  @Test("The live channel opens only for the console's own pages") func theLiveChannelIsForOurPagesOnly() throws {
    let bench = try ConsoleBench()
    defer { bench.stop() }
    let owner = try bench.signedIn()
    for (changes, status) in Self.foreign.filter({ $0.0["X-CSRF-Token"] == nil && $0.0["Content-Type"] == nil })
    where changes["Sec-Fetch-Site"] != "none" {
      let real = changes.mapValues { $0.replacing("PORT", with: String(bench.listener.port)) }
      #expect(try owner.live(changes: real).1.status == status, "\(changes)")
    }
    #expect(try owner.live().1.status == 101)
  }

  @Test("Operations that are not in the table are not found") func operationsOutsideTheTableDoNotExist() throws {
    let bench = try ConsoleBench()
    defer { bench.stop() }
    var browser = try bench.signedIn()
    for name in ["sign", "console/link", "nothing", "client/list/x", "Client/List", "", "client"] {
      #expect(try browser.call(name).status >= 404, "\(name)")
    }
    #expect(bench.asked.withLock { $0.isEmpty })
  }

  @Test("A body that is too long or malformed is refused") func anOversizedOrMalformedBodyIsRefused() throws {
    let bench = try ConsoleBench()
    defer { bench.stop() }
    var browser = try bench.signedIn()
    #expect(try browser.call("client/list", body: Array(repeating: 0x20, count: 65_537)).status == 413)
    for body in ["[]", "{", "7", #"{"secrets":[["a",4]]}"#, #"{"secrets":[["a",1]]}"# + "\nxx", "{}\nrest"] {
      #expect(try browser.call("client/list", body: Array(body.utf8)).status == 400, "\(body)")
    }
    #expect(bench.asked.withLock { $0.isEmpty })
  }

  /// Over plain http a cookie crosses the network in clear.
  @Test("The console requires TLS when it is used from another machine") func fromAnotherMachineItNeedsTLS() throws {
    func originCheck(_ names: [String], isSecure: Bool) throws -> OriginCheck {
      OriginCheck(
        origins: names.compactMap { ConsoleOrigin(parsing: $0, isSecure: isSecure, port: 24133) }, takesAnyAddress: true,
        isSecure: isSecure, port: 24133)
    }
    func request(_ host: String, from address: String) -> HTTPRequest {
      HTTPRequest(
        method: "GET", path: "/", query: [], headers: [HTTPHeader("host", host)], body: [], peer: .tcp(address: address, port: 5))
    }
    let plain = try originCheck(["https://signer.example"], isSecure: false)
    #expect(throws: OriginCheck.Refusal.notProtected) { try plain.origin(of: request("192.0.2.1:24133", from: "192.0.2.9")) }
    #expect(throws: OriginCheck.Refusal.notProtected) {
      try plain.origin(of: request("[2001:db8::1]:24133", from: "2001:db8::9"))
    }
    #expect(throws: OriginCheck.Refusal.notThisHost) { try plain.origin(of: request("192.0.2.1:80", from: "192.0.2.9")) }
    #expect(try plain.origin(of: request("127.0.0.1:24133", from: "127.0.0.1")).text == "http://127.0.0.1:24133")
    #expect(try plain.origin(of: request("signer.example", from: "192.0.2.9")).text == "https://signer.example")
    let secure = try originCheck(["signer.example"], isSecure: true)
    #expect(try secure.origin(of: request("192.0.2.1:24133", from: "192.0.2.9")).isSecure)
    #expect(try secure.origin(of: request("Signer.Example:24133", from: "192.0.2.9")).text == "https://signer.example:24133")
    #expect(throws: OriginCheck.Refusal.notThisHost) { try secure.origin(of: request("evil.example:24133", from: "192.0.2.9")) }
  }
}
