import JSON
import Platform
import Sockets
import Testing

@testable import Console

/// Who may open `/app/sign` and `/app/pubkey`. The bench answers 204 to those that may.
@Suite(.serialized) struct SigningLinkTests {
  private static let link = "/app/pubkey?cb=https://a.example/"

  private func ticket(_ browser: inout Browser) throws -> String {
    try #require(try browser.call("link/ticket").result["ticket"]?.string)
  }

  @Test("A process of the signer's own user may open a link") func ownProcess() throws {
    let bench = try ConsoleBench()
    defer { bench.stop() }
    #expect(try Browser(bench).get(Self.link).status == 204)
    #expect(
      try Browser(bench).get(Self.link, changes: ["Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"]).status == 204)
  }

  @Test(
    "An image, frame or script of a page opens no signing link, and neither does a prefetch",
    arguments: [
      ["Sec-Fetch-Mode": "no-cors"], ["Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty"], ["Sec-Fetch-Dest": "iframe"],
      ["Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document", "Sec-Purpose": "prefetch;prerender"], ["Host": "evil.example"],
    ])
  func pagesThatLoadIt(headers: [String: String]) throws {
    let bench = try ConsoleBench()
    defer { bench.stop() }
    let got = try Browser(bench).get(Self.link, changes: headers)
    #expect([403, 421].contains(got.status))
  }

  @Test(
    "What came through a proxy is not the owner's, even from a proxy of the owner's own user",
    arguments: Console.proxyHeaders.map { [$0: "x"] } + [["Host": "signer.example"]])
  func proxies(headers: [String: String]) throws {
    let bench = try ConsoleBench(names: ["localhost", "http://signer.example"])
    defer { bench.stop() }
    let got = try Browser(bench).get(Self.link, changes: headers)
    #expect(got.status == 403)
    #expect(String(decoding: got.body, as: UTF8.self).contains("/link.js"))
    #expect(got.header("content-security-policy") != nil && got.header("cross-origin-opener-policy") == nil)
  }

  @Test("Through a proxy, the session's cookie needs a ticket, and a ticket works once") func tickets() throws {
    let bench = try ConsoleBench()
    defer { bench.stop() }
    var browser = try bench.signedIn()
    let cookie = try #require(browser.cookie)
    func open(_ ticket: String?, cookie: String) throws -> Int {
      try browser.get(
        Self.link + (ticket.map { "&\(Console.ticket)=\($0)" } ?? ""), changes: ["Via": "1.1 proxy", "Cookie": cookie]
      ).status
    }
    #expect(try open(nil, cookie: cookie) == 403 && open("1", cookie: cookie) == 403)
    let first = try ticket(&browser)
    #expect(try open(first, cookie: "") == 403 && open(first, cookie: cookie) == 204 && open(first, cookie: cookie) == 403)
    let late = try ticket(&browser)
    bench.seconds.change { $0 += 60 }
    #expect(try open(late, cookie: cookie) == 403)
    var other = try bench.signedIn()
    let others = try ticket(&other)
    #expect(try open(others, cookie: cookie) == 403 && open(others, cookie: try #require(other.cookie)) == 204)
  }

  @Test(
    "A ticket costs the page's own token", arguments: [["X-CSRF-Token": ""], ["Cookie": ""], ["Origin": "http://localhost:1"]])
  func ticketsCostTheToken(changes: [String: String]) throws {
    let bench = try ConsoleBench()
    defer { bench.stop() }
    var browser = try bench.signedIn()
    #expect([401, 403].contains(try browser.call("link/ticket", changes: changes).status))
  }

  @Test("Tickets are few, and the oldest ends first") func ticketsAreFew() {
    var tickets = LinkTickets()
    let now = ConsoleTime(wall: 0, steady: 0)
    let made = (0...LinkTickets.most).map { _ in tickets.make(for: "s", now: now) }
    #expect(!tickets.spend(made[0], by: "s", now: now) && tickets.spend(made[1], by: "s", now: now))
  }
}
