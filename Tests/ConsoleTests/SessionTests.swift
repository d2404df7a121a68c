import JSON
import OwnerAPI
import Platform
import SecretMemory
import Sockets
import Testing

@testable import Console

@Suite(.serialized) struct SessionTests {
  @Test("A sign-in link works once") func aLinkSignsInOnce() throws {
    let bench = try ConsoleBench()
    defer { bench.stop() }
    let token = try bench.token()
    var (first, second) = (Browser(bench), Browser(bench))
    #expect(try first.call("session/state").result["signed_in"] == false)
    #expect(try first.call("session/open", ["token": .string(token)]).status == 200)
    let state = try first.call("session/state").result
    #expect(state["signed_in"] == true && state["first_run"] == true && state["version"] == "test")
    #expect(try second.call("session/open", ["token": .string(token)]).status == 401)
    #expect(bench.events.withLock { $0 } == [.signedIn(.link), .usedLinkTried(count: 1, from: .thisMachine)])
  }

  @Test("Whoever loads a used link again in the browser that it signed in stays signed in, and nothing is proved or reported")
  func aUsedLinkInItsOwnBrowser() throws {
    let bench = try ConsoleBench()
    defer { bench.stop() }
    let token = try bench.token()
    var browser = Browser(bench)
    #expect(try browser.call("session/open", ["token": .string(token)]).status == 200)
    bench.seconds.withLock { $0 = 30 * 60 }
    #expect(try browser.call("session/state").result["proven"] == false)
    #expect(try browser.call("session/open", ["token": .string(token)]).status == 200)
    #expect(try browser.call("session/state").result["proven"] == false)
    #expect(try browser.call("session/open", ["token": "no link"]).status == 401)
    #expect(bench.events.withLock { $0 } == [.signedIn(.link), .signInFailed(count: 1, from: .thisMachine)])
  }

  @Test("A link that was opened too late, or that newer ones closed, is told from a guess") func aClosedLink() throws {
    let bench = try ConsoleBench()
    defer { bench.stop() }
    let late = try bench.token()
    bench.seconds.withLock { $0 = 11 * 60 }
    let crowdedOut = try bench.token()
    for _ in 0..<SignInLinks.most { _ = try bench.token() }
    var browser = Browser(bench)
    for token in [late, crowdedOut] {
      #expect(try browser.call("session/open", ["token": .string(token)]).status == 401)
    }
    #expect(bench.events.withLock { $0 } == Array(repeating: .closedLinkTried(count: 1, from: .thisMachine), count: 2))
  }

  @Test("Each start of the signer names itself, so that a browser knows why its session ended") func aRunHasAName() throws {
    let (first, second) = (try ConsoleBench(), try ConsoleBench())
    defer {
      first.stop()
      second.stop()
    }
    func run(_ bench: ConsoleBench) throws -> String? {
      var browser = Browser(bench)
      return try browser.call("session/state").result["run"]?.string
    }
    let (name, again, other) = (try run(first), try run(first), try run(second))
    #expect(name?.utf8.count == 16 && again == name && other != name)
  }

  @Test("A sign-in link expires after ten minutes") func aLinkEndsAfterTenMinutes() throws {
    let bench = try ConsoleBench()
    defer { bench.stop() }
    let token = try bench.token()
    bench.seconds.withLock { $0 = 600 }
    var browser = Browser(bench)
    #expect(try browser.call("session/open", ["token": .string(token)]).status == 401)
  }

  /// Whoever had the link while the signer was locked has shown no credential.
  @Test("A sign-in by a link while the signer was locked is no recent one once it is unlocked, except where it was unlocked")
  func aSignInWhileLockedIsNotRecentOnceUnlocked() throws {
    let bench = try ConsoleBench()
    defer { bench.stop() }
    func isRecent(_ browser: inout Browser) throws -> Bool { try browser.call("session/state").result["proven"] == true }
    bench.isLocked.withLock { $0 = true }
    var (owner, other) = (try bench.signedIn(), try bench.signedIn())
    #expect(try isRecent(&owner) && isRecent(&other))
    #expect(try owner.call("unlock").status == 200)
    bench.isLocked.withLock { $0 = false }
    #expect(try isRecent(&owner) && !isRecent(&other))
    #expect(try other.call("passkey/begin").json["wants"] == "proof")
    var later = try bench.signedIn()
    #expect(try isRecent(&later))
  }

  @Test("A link for one user of this machine signs in no other user, and is good afterwards")
  func aLinkForOneUserIsForNoOther() throws {
    let bench = try ConsoleBench()
    defer { bench.stop() }
    for (uid, status) in [(geteuid() + 1, 401), (geteuid(), 200)] {
      let url = try #require(bench.console.makeLink(for: uid)?.url)
      var browser = Browser(bench)
      #expect(try browser.call("session/open", ["token": .string(String(url.split(separator: "=")[1]))]).status == status)
    }
    var links = SignInLinks()
    let now = ConsoleTime(wall: 0, steady: 0)
    let token = links.make(for: 7, now: now)
    for holder in [Holder.unknown, .processes(uid: 8, group: 0), NetworkAddress(parsing: "127.0.0.1").map { .network($0) }!] {
      #expect(links.spend(token, by: holder, now: now) == .anothers)
    }
    #expect(links.spend(token, by: .processes(uid: 7, group: 3), now: now) == .spent)
    #expect(links.spend(token, by: .processes(uid: 7, group: 3), now: now) == .usedBefore, "once")
  }

  @Test("The ninth sign-in link cancels the first") func theNinthLinkClosesTheFirst() throws {
    let bench = try ConsoleBench()
    defer { bench.stop() }
    let tokens = try (0..<9).map { _ in try bench.token() }
    var browser = Browser(bench)
    #expect(try browser.call("session/open", ["token": .string(tokens[0])]).status == 401)
    #expect(try browser.call("session/open", ["token": .string(tokens[1])]).status == 200)
  }

  @Test("The session cookie is hidden from scripts and other sites") func theCookieIsKeptFromScriptsAndOtherSites() throws {
    let bench = try ConsoleBench()
    defer { bench.stop() }
    var browser = Browser(bench)
    let got = try browser.call("session/open", ["token": .string(try bench.token())])
    let cookie = try #require(got.header("set-cookie"))
    #expect(cookie.hasPrefix("holdfast-\(bench.listener.port)="))
    for attribute in ["; HttpOnly", "; SameSite=Strict", "; Path=/"] { #expect(cookie.contains(attribute)) }
    #expect(!cookie.contains("Domain"))
    let secure = SessionCookie(origin: try #require(ConsoleOrigin(isSecure: true, host: "signer.example", port: 443))).set("t")
    #expect(secure.value.hasPrefix("__Host-holdfast-443=t;") && secure.value.hasSuffix("; Secure"))
  }

  /// Browsers send it to every port of the host: whoever runs a server on another one has it, too.
  @Test("The cookie alone does not authenticate") func theCookieAloneIsNobody() throws {
    let bench = try ConsoleBench()
    defer { bench.stop() }
    let owner = try bench.signedIn()
    var thief = Browser(bench)
    thief.cookie = owner.cookie
    for guess in [nil, "", "x", String((owner.csrf ?? "").dropLast()) + "-"] {
      thief.csrf = guess
      let state = try thief.call("session/state").result
      #expect(state["signed_in"] == false && state["csrf"] == nil)
      #expect(try thief.call("status").status == 403)
      #expect(try thief.live(token: guess ?? "").1.status == 401)
    }
    thief.csrf = owner.csrf
    #expect(try thief.call("session/state").result["signed_in"] == true)
    #expect(try owner.live().1.status == 101)
  }

  /// Whoever put a cookie into the browser before does not share the session.
  @Test("Each sign-in replaces the session cookie") func signingInAlwaysMakesANewToken() throws {
    let bench = try ConsoleBench()
    defer { bench.stop() }
    var browser = try bench.signedIn()
    let planted = try #require(browser.cookie)
    var attacker = browser
    #expect(try browser.call("session/open", ["token": .string(try bench.token())]).status == 200)
    #expect(browser.cookie != planted)
    let refused = try attacker.call("client/list")
    #expect(refused.status == 401)
    #expect(refused.header("set-cookie") == nil, "a late refusal of the earlier session must not remove the new cookie")
    #expect(try browser.call("client/list").status == 200)
  }

  @Test("A stolen cookie is useless after the owner signs out") func aStolenCookieOpensNothingAfterSigningOut() throws {
    let bench = try ConsoleBench()
    defer { bench.stop() }
    var browser = try bench.signedIn()
    var thief = browser
    #expect(try thief.call("client/list").status == 200)
    let got = try browser.call("session/close")
    #expect(got.status == 200 && got.header("set-cookie")?.contains("Max-Age=0") == true)
    #expect(try thief.call("client/list").status == 401)
    #expect(try thief.live().1.status == 401)
    #expect(bench.events.withLock { $0.last } == .sessionEnded(.signedOut))
  }

  @Test("Each call names its own session, whatever its body says, and its end is reported") func callsNameTheirSession() throws {
    let bench = try ConsoleBench()
    defer { bench.stop() }
    var (one, two) = (try bench.signedIn(), try bench.signedIn())
    for parameters in [[:], ["session": "another"]] as [JSONValue] {
      #expect(try one.call("client/list", parameters).status == 200)
    }
    #expect(try two.call("client/list").status == 200)
    let sessions = bench.asked.withLock { $0.map(\.session) }
    #expect(sessions[0] != nil && sessions[0] == sessions[1] && sessions[1] != sessions[2] && sessions[2] != nil)
    #expect(try one.call("session/close").status == 200)
    #expect(bench.over.withLock { $0 } == [sessions[0]])
  }

  @Test("The CSRF token of another session is refused") func oneTokenOfAnotherSessionDoesNotServe() throws {
    let bench = try ConsoleBench()
    defer { bench.stop() }
    var (one, two) = (try bench.signedIn(), try bench.signedIn())
    #expect(one.csrf != two.csrf)
    swap(&one.csrf, &two.csrf)
    #expect(try one.call("client/list").status == 403)
  }

  @Test("Sessions can be listed and ended") func sessionsAreListedAndRevoked() throws {
    let bench = try ConsoleBench()
    defer { bench.stop() }
    var (one, two) = (try bench.signedIn(), try bench.signedIn())
    let list = try #require(try one.call("session/list").result["sessions"]?.array)
    #expect(list.count == 2)
    let mine = try #require(list.first { $0["current"] == true })
    let other = try #require(list.first { $0["current"] == false }?["id"]?.string)
    #expect(mine["by"] == "link" && mine["agent"] == "Test/1" && mine["made"] == 1_700_000_000)
    #expect(!(two.cookie ?? "").contains(other))
    #expect(try one.call("session/revoke", ["id": .string(other)]).status == 200)
    #expect(try two.call("client/list").status == 401)
    #expect(try one.call("session/revoke", ["id": .string(other)]).json["exit"] == 5)
    #expect(try one.call("session/list").result["sessions"]?.array?.count == 1)
  }

  @Test("Ending all sessions signs everyone out and cancels open links") func whenEverythingIsShutEveryoneIsSignedOut() throws {
    let bench = try ConsoleBench()
    defer { bench.stop() }
    var (one, two) = (try bench.signedIn(), try bench.signedIn())
    let link = try bench.token()
    bench.console.endAllSessions()
    #expect(try one.call("client/list").status == 401)
    #expect(try two.call("client/list").status == 401)
    #expect(try one.call("session/open", ["token": .string(link)]).status != 200)
    one = try bench.signedIn()
    #expect(try one.call("client/list").status == 200)
  }

  @Test("After too many wrong passphrases, every session ends, and the log gets the reason")
  func guessingSignsEveryoneOut() throws {
    let bench = try ConsoleBench()
    defer { bench.stop() }
    var browser = try bench.signedIn()
    bench.console.endAllSessions(.guessing)
    #expect(try browser.call("client/list").status == 401)
    #expect(bench.events.withLock { $0.last } == .sessionEnded(.guessing))
  }

  @Test("A session ends when it is not used") func aSessionEndsWhenItIsNotUsed() throws {
    let bench = try ConsoleBench()
    defer { bench.stop() }
    var browser = try bench.signedIn()
    let idle = Sessions.idleMilliseconds / 1000
    bench.seconds.withLock { $0 += idle - 1 }
    #expect(try browser.call("client/list").status == 200)
    bench.seconds.withLock { $0 += idle }
    #expect(try browser.call("client/list").status == 401)
  }

  @Test("A session ends after its longest time, even when it is used") func aSessionEndsHoweverMuchItIsUsed() throws {
    let bench = try ConsoleBench()
    defer { bench.stop() }
    var browser = try bench.signedIn()
    let (step, longest) = (Sessions.idleMilliseconds / 2000, Sessions.longestMilliseconds / 1000)
    var now: Int64 = 0
    while now + step < longest {
      now += step
      bench.seconds.withLock { $0 = now }
      #expect(try browser.call("client/list").status == 200)
    }
    bench.seconds.withLock { $0 = longest }
    #expect(try browser.call("client/list").status == 401)
  }

  @Test("When there are too many sessions, a new sign-in ends the one that was unused longest")
  func aCrowdOfSessionsEndsTheOldest() throws {
    let bench = try ConsoleBench()
    defer { bench.stop() }
    var browsers: [Browser] = []
    for _ in 0..<Sessions.most {
      bench.seconds.withLock { $0 += 60 }
      browsers.append(try bench.signedIn())
    }
    bench.seconds.withLock { $0 += 60 }
    #expect(try browsers[0].call("client/list").status == 200)
    _ = try bench.signedIn()
    #expect(try browsers[0].call("client/list").status == 200)
    #expect(try browsers[1].call("client/list").status == 401)
    #expect(bench.events.withLock { $0.contains(.sessionEnded(.crowdedOut)) })
  }

  @Test("Operations that cannot be undone need a recent sign-in") func whatCannotBeTakenBackNeedsARecentSignIn() throws {
    let bench = try ConsoleBench()
    defer { bench.stop() }
    var browser = try bench.signedIn()
    #expect(try browser.call("identity/delete", ["name": "main"]).status == 200)
    bench.seconds.withLock { $0 = Sessions.recentMilliseconds / 1000 }
    let got = try browser.call("identity/delete", ["name": "main"])
    #expect(got.status == 403 && got.json["wants"] == "proof")
    #expect(try browser.call("client/revoke", ["client": "x"]).status == 200)
  }

  @Test("The right passphrase counts as a recent sign-in in that browser only, and a wrong one does not")
  func thePassphraseIsARecentSignIn() throws {
    let bench = try ConsoleBench()
    defer { bench.stop() }
    bench.isLocked.withLock { $0 = true }
    var (owner, other) = (try bench.signedIn(), try bench.signedIn())
    bench.isLocked.withLock { $0 = false }
    bench.seconds.withLock { $0 = Sessions.recentMilliseconds / 1000 }
    func isRecent(_ browser: inout Browser) throws -> Bool { try browser.call("session/state").result["proven"] == true }
    bench.isRefusing.withLock { $0 = true }
    #expect(try owner.call("session/prove", secrets: [("passphrase", Array("wrong".utf8))]).json["ok"] == false)
    #expect(try !isRecent(&owner))
    bench.isRefusing.withLock { $0 = false }
    #expect(try owner.call("session/prove", secrets: [("passphrase", Array("right".utf8))]).status == 200)
    #expect(try isRecent(&owner) && !isRecent(&other))
    #expect(try owner.call("identity/delete", ["name": "main"]).status == 200)
    #expect(bench.events.withLock { $0.last } == .signedIn(.passphrase))
    bench.seconds.withLock { $0 += Sessions.recentMilliseconds / 1000 }
    #expect(try !isRecent(&owner))
    var stranger = Browser(bench)
    #expect(try stranger.call("session/prove", secrets: [("passphrase", Array("right".utf8))]).status == 401)
  }

  /// A browser that was left open raises no app and pairs none; it may still look, and take things away.
  @Test("Giving an app more permissions needs a recent sign-in") func whatGivesAnAppMoreNeedsARecentSignIn() throws {
    let bench = try ConsoleBench()
    defer { bench.stop() }
    var browser = try bench.signedIn()
    let giving = [
      "pair/new", "pair/accept", "client/trust", "client/allow", "client/ask", "client/forget", "client/limit", "client/budget",
      "client/resume", "push/subscribe", "identity/import", "identity/default", "identity/rename",
    ]
    for operation in giving { #expect(try browser.call(operation).status == 200, "\(operation)") }
    bench.seconds.withLock { $0 = Sessions.recentMilliseconds / 1000 }
    for operation in giving { #expect(try browser.call(operation).json["wants"] == "proof", "\(operation)") }
    for operation in ["client/list", "client/deny", "client/suspend", "client/revoke", "request/approve", "pair/qr"] {
      #expect(try browser.call(operation).status == 200, "\(operation)")
    }
  }

  @Test("Secrets are sent beside the parameters of a call") func secretsComeBesideTheParameters() throws {
    let bench = try ConsoleBench()
    defer { bench.stop() }
    var browser = try bench.signedIn()
    let got = try browser.call(
      "unlock", changes: ["Content-Type": "application/octet-stream"],
      body: Array(#"{"secrets":[["passphrase",6]]}"#.utf8) + [0x0A] + Array("secret".utf8))
    #expect(got.status == 200)
    let asked = try #require(bench.asked.withLock { $0.first })
    #expect(asked.secrets["passphrase"]?.withBytes { Array($0) } == Array("secret".utf8))
    #expect(asked.parameters == [:])
  }

  @Test("Attempts to sign in are limited") func attemptsToSignInAreLimited() throws {
    let bench = try ConsoleBench()
    defer { bench.stop() }
    var stranger = Browser(bench)
    let statuses = try (0..<12).map { _ in try stranger.call("session/open", ["token": "guess"]).status }
    #expect(statuses == Array(repeating: 401, count: 10) + [429, 429])
    #expect(bench.events.withLock { $0 } == Array(repeating: .signInFailed(count: 1, from: .thisMachine), count: 5))
    bench.seconds.withLock { $0 += 60 }
    let token = try bench.token()
    #expect(try stranger.call("session/open", ["token": "guess"]).status == 401)
    #expect(bench.events.withLock { $0.last } == .signInFailed(count: 6, from: .thisMachine))
    #expect(try stranger.call("session/open", ["token": .string(token)]).status == 200)
  }

  @Test("The correct link signs in, even after many failed attempts") func theRightLinkAlwaysWorks() throws {
    let bench = try ConsoleBench()
    defer { bench.stop() }
    var stranger = Browser(bench)
    for _ in 0..<100 { _ = try stranger.call("session/open", ["token": "guess"]) }
    #expect(try stranger.call("session/open", ["token": "guess"]).status == 429)
    _ = try bench.signedIn()
  }

  @Test("Polling for a sign-in does not count as a failed attempt") func pollingIsNoAttempt() throws {
    let bench = try ConsoleBench()
    defer { bench.stop() }
    var stranger = Browser(bench)
    for _ in 0..<40 {
      #expect(try stranger.call("session/state").status == 200)
      #expect(try stranger.call("passkey/challenge").status == 200)
    }
    #expect(try stranger.call("session/open", ["token": "guess"]).status == 401)
  }

  @Test("Failed sign-ins are counted by the client address that a trusted proxy reports") func failuresAreCountedByAddress()
    throws
  {
    let bench = try ConsoleBench(proxies: ["127.0.0.1"])
    defer { bench.stop() }
    var stranger = Browser(bench)
    func statuses(_ count: Int, _ list: String) throws -> [Int] {
      try (0..<count).map { _ in
        try stranger.call("session/open", ["token": "guess"], changes: ["X-Forwarded-For": list]).status
      }
    }
    #expect(try statuses(11, "203.0.113.7").last == 429)
    #expect(try statuses(1, "203.0.113.8") == [401])
    #expect(try statuses(1, "203.0.113.8, 203.0.113.7") == [429])
    #expect(try statuses(10, "2001:db8::1").last == 401)
    #expect(try statuses(1, "2001:db8::2") == [429], "a network of 64 bits is one")

    let plain = try ConsoleBench()
    defer { plain.stop() }
    stranger = Browser(plain)
    let invented = try (0..<12).flatMap { try statuses(1, "203.0.113.\($0)") }
    #expect(invented == Array(repeating: 401, count: 10) + [429, 429])
  }

  @Test("The owner's connection stays open when strangers use up the connection limit") func theOwnersConnectionStays() throws {
    let bench = try ConsoleBench(connections: 4)
    defer { bench.stop() }
    let owner = try bench.signedIn()
    let (page, got) = try owner.live()
    #expect(got.status == 101)
    let connection = try Connection(port: bench.listener.port)
    let head =
      "POST /api/v1/status HTTP/1.1\r\nHost: \(bench.authority)\r\nOrigin: \(bench.origin)\r\nContent-Type: application/json\r\n"
      + "Cookie: \(owner.cookie ?? "")\r\nX-CSRF-Token: \(owner.csrf ?? "")\r\nContent-Length: 2\r\n\r\n{}"
    connection.say(Array(head.utf8))
    #expect(try connection.answer().status == 200)
    let strangers = try (0..<50).map { _ in try Connection(port: bench.listener.port) }
    #expect(strangers[40].isAtEnd(), "it is closed for the last")
    connection.say(Array(head.utf8))
    #expect(try connection.answer().status == 200)
    var other = try bench.signedIn()
    #expect(try other.call("status").status == 200)
    bench.console.tell(.clients)
    #expect(page.frame() != nil, "hello")
    #expect(page.frame()?.opcode == 1)
    withExtendedLifetime(strangers) {}
  }
}
