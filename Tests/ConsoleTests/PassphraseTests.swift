import JSON
import OwnerAPI
import Platform
import SecretMemory
import Testing

@testable import Console
@testable import Sockets

/// Signing in with the vault's passphrase. The bench stands in for the operations, which check it.
@Suite(.serialized) struct PassphraseTests {
  private func signIn(_ browser: inout Browser, changes: [String: String] = [:]) throws -> Got {
    try browser.call("passphrase/sign-in", changes: changes, secrets: [("passphrase", Array("a passphrase".utf8))])
  }

  /// The operations that the signer was asked for.
  private func asked(_ bench: ConsoleBench) -> [String] { bench.asked.withLock { $0.map(\.operation) } }

  @Test("The sign-in page learns whether the signer is locked") func theSignInPageLearnsOfTheLock() throws {
    let bench = try ConsoleBench()
    defer { bench.stop() }
    var browser = Browser(bench)
    for isLocked in [true, false] {
      bench.isLocked.withLock { $0 = isLocked }
      #expect(try browser.call("session/state").result["locked"]?.bool == isLocked)
    }
  }

  @Test("The right passphrase signs in, and counts as a recent sign-in") func theRightPassphraseSignsIn() throws {
    let bench = try ConsoleBench()
    defer { bench.stop() }
    var browser = Browser(bench)
    let options = try browser.call("passphrase/options").result
    #expect(options["accepted"] == true && options["home"] == "/srv/vault")
    let got = try signIn(&browser)
    #expect(got.status == 200 && got.result["unlocked"] == nil)
    #expect(try browser.call("session/state").result["proven"] == true)
    #expect(try browser.call("session/list").result["sessions"]?[0]?["by"] == "passphrase")
    #expect(try browser.call("identity/delete", ["name": "main"]).status == 200)
    #expect(bench.events.withLock { $0 } == [.signedIn(.passphrase)])
    let request = try #require(bench.asked.withLock { $0.first })
    #expect(request.operation == "session/prove" && request.parameters == [:] && request.isSignIn)
    #expect(request.secrets["passphrase"]?.withBytes { Array($0) } == Array("a passphrase".utf8))
  }

  @Test("A wrong passphrase signs nobody in, and the page gets the answer that unlocking would get")
  func aWrongPassphraseSignsNobodyIn() throws {
    let bench = try ConsoleBench()
    defer { bench.stop() }
    bench.isRefusing.withLock { $0 = true }
    var browser = Browser(bench)
    let got = try signIn(&browser)
    #expect(got.status == 200 && got.json["ok"] == false && got.json["error"] == "Refused." && got.json["exit"] == 3)
    #expect(browser.cookie == nil && browser.csrf == nil)
    #expect(try browser.call("client/list").status == 401)
    #expect(bench.events.withLock { $0 } == [])
  }

  @Test("After five wrong passphrases the page takes none until somebody signs in otherwise") func noMoreGuesses() throws {
    let bench = try ConsoleBench()
    defer { bench.stop() }
    var browser = Browser(bench)
    bench.isWrong.withLock { $0 = true }
    for _ in 0..<Console.mostWrong { #expect(try signIn(&browser).status == 200) }
    let refused = try signIn(&browser)
    #expect(refused.status == 403)
    #expect(
      refused.json["error"] == "Five passphrases were wrong, so this page takes none until you have signed in in another way.",
      "it is the owner's own browser")
    #expect(asked(bench).count == Console.mostWrong, "the next was not tried")
    #expect(try browser.call("passphrase/options").result["accepted"] == false)
    bench.isWrong.withLock { $0 = false }
    #expect(try signIn(&browser).status == 403)
    _ = try bench.signedIn()
    #expect(try browser.call("passphrase/options").result["accepted"] == true)
    #expect(try signIn(&browser).status == 200)
  }

  @Test("A passphrase that came too soon to be tried does not count as a wrong one") func tooSoon() throws {
    let bench = try ConsoleBench()
    defer { bench.stop() }
    var browser = Browser(bench)
    bench.isTooSoon.withLock { $0 = true }
    for _ in 0..<2 * Console.mostWrong { #expect(try signIn(&browser).status == 200) }
    #expect(try browser.call("passphrase/options").result["accepted"] == true)
    bench.isTooSoon.withLock { $0 = false }
    bench.isWrong.withLock { $0 = true }
    for _ in 0..<Console.mostWrong { _ = try signIn(&browser) }
    #expect(try browser.call("passphrase/options").result["accepted"] == false)
  }

  @Test("The passphrase that signs in unlocks a locked signer in the same step, in one attempt") func signingInUnlocks() throws {
    let bench = try ConsoleBench()
    defer { bench.stop() }
    bench.isLocked.withLock { $0 = true }
    var browser = Browser(bench)
    #expect(try signIn(&browser).result["unlocked"] == true)
    #expect(asked(bench) == ["unlock"])
    bench.isLocked.withLock { $0 = false }
    #expect(try browser.call("session/state").result["proven"] == true, "it was no link")
  }

  @Test("In a lockdown the passphrase signs in but neither unlocks nor resumes") func aSignInLeavesTheLockdown() throws {
    let bench = try ConsoleBench()
    defer { bench.stop() }
    for isLocked in [bench.isLocked, bench.isLockedDown] { isLocked.withLock { $0 = true } }
    var browser = Browser(bench)
    #expect(try signIn(&browser).result["unlocked"] == nil)
    #expect(try browser.call("session/state").result["signed_in"] == true)
    #expect(asked(bench) == ["session/prove"])
  }

  @Test(
    "What came through a proxy or by a public name is not asked for the passphrase, and none is tried for it",
    arguments: Console.proxyHeaders.map { [$0: "x"] } + [
      ["Host": "signer.example", "Origin": "http://signer.example"], ["Host": "192.0.2.1", "Origin": "http://192.0.2.1"],
    ])
  func noPassphraseThroughAProxy(headers: [String: String]) throws {
    let bench = try ConsoleBench(names: ["localhost", "http://signer.example", "http://192.0.2.1"])
    defer { bench.stop() }
    var browser = Browser(bench)
    let options = try browser.call("passphrase/options", changes: headers).result
    #expect(options["accepted"] == false && options["home"] == nil, "nor is the vault's folder named")
    #expect(try signIn(&browser, changes: headers).status == 403)
    #expect(asked(bench) == [] && bench.events.withLock { $0 } == [])
  }

  @Test("Behind a proxy that the owner trusts, nobody signs in with the passphrase") func noPassphraseBehindATrustedProxy() throws
  {
    let bench = try ConsoleBench(proxies: ["127.0.0.1"])
    defer { bench.stop() }
    var browser = Browser(bench)
    #expect(try signIn(&browser, changes: ["X-Forwarded-For": "127.0.0.1"]).status == 403)
    #expect(asked(bench) == [])
  }

  @Test("Only a process of the signer's own user may give the passphrase, and only if the kernel says so")
  func onlyTheOwnersProcessGivesThePassphrase() throws {
    let here = try #require(ConsoleOrigin(isSecure: false, host: "localhost", port: 24133))
    let (own, other) = (Holder.processes(uid: geteuid(), group: 7), Holder.processes(uid: geteuid() + 1, group: 7))
    let network = Holder.network(try #require(NetworkAddress(parsing: "127.0.0.1")))
    for (holder, address, isOwners) in [
      (own, "127.0.0.1", true), (own, "::1", true), (other, "127.0.0.1", false), (network, "127.0.0.1", false),
      (.unknown, "127.0.0.1", false), (own, "192.0.2.1", false),
    ] {
      let request = HTTPRequest(
        method: "POST", path: "/api/v1/passphrase/sign-in", query: [], headers: [], body: [],
        peer: .tcp(address: address, port: 9),
        holder: holder)
      #expect(request.isOfOwnersProcess(at: here) == isOwners, "\(holder) \(address)")
    }
    let unnamed = HTTPRequest(
      method: "POST", path: "/", query: [], headers: [], body: [], peer: .tcp(address: "127.0.0.1", port: 9),
      holder: .processes(uid: HTTPRequest.anybody, group: 7))
    #expect(!unnamed.isOfOwnersProcess(at: here, user: HTTPRequest.anybody), "in a container, any user of the machine")
  }

  @Test(
    "Another page cannot try a passphrase",
    arguments: [["Origin": "http://localhost:1"], ["Sec-Fetch-Site": "cross-site"], ["Content-Type": "text/plain"]])
  func noPassphraseFromAnotherPage(changes: [String: String]) throws {
    let bench = try ConsoleBench()
    defer { bench.stop() }
    var browser = Browser(bench)
    #expect([403, 415].contains(try signIn(&browser, changes: changes).status))
    #expect(asked(bench) == [])
  }

  @Test("Where no passphrase opens the vault, as in a trial, the page asks for none") func noPassphraseToAskFor() throws {
    let bench = try ConsoleBench()
    defer { bench.stop() }
    bench.hasPassphrase.withLock { $0 = false }
    var browser = Browser(bench)
    #expect(try browser.call("passphrase/options").result["accepted"] == false)
    #expect(try signIn(&browser).status == 403)
    #expect(try browser.call("passphrase/sign-in").status == 403)
    bench.hasPassphrase.withLock { $0 = true }
    #expect(try browser.call("passphrase/sign-in").status == 400, "it is missing")
    #expect(asked(bench) == [])
  }
}
