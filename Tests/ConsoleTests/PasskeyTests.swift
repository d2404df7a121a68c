import Encodings
import JSON
import Platform
import Testing

@testable import Console

@Suite(.serialized) struct PasskeyTests {
  /// A console with one passkey, and the browser that added it.
  private func bench() throws -> (ConsoleBench, Browser, Authenticator) {
    let bench = try ConsoleBench()
    var browser = try bench.signedIn()
    var authenticator = try Authenticator(origin: bench.origin)
    let got = try browser.add(&authenticator)
    try #require(got.status == 200 && got.json["ok"] == true)
    return (bench, browser, authenticator)
  }

  @Test("A passkey signs in") func aPasskeySignsIn() throws {
    var (bench, owner, authenticator) = try bench()
    defer { bench.stop() }
    var browser = Browser(bench)
    #expect(try browser.call("session/state").result["has_passkeys"] == true)
    #expect(try browser.signIn(&authenticator).status == 200)
    #expect(try browser.call("client/list").status == 200)
    let sessions = try #require(try owner.call("session/list").result["sessions"]?.array)
    #expect(sessions.contains { $0["by"] == "passkey" })
    let passkey = try #require(try owner.call("passkey/list").result["passkeys"]?[0])
    #expect(passkey["name"] == "phone" && passkey["made"] == 1_700_000_000 && passkey["last_used"] == 1_700_000_000)
    #expect(bench.events.withLock { $0 } == [.signedIn(.link), .passkeyAdded, .signedIn(.passkey)])
  }

  @Test("A passkey signs in after a restart") func itSignsInAfterARestart() throws {
    let (bench, _, first) = try bench()
    defer { bench.stop() }
    var authenticator = first
    let second = try ConsoleBench(kept: bench.kept)
    defer { second.stop() }
    authenticator.origin = second.origin
    var browser = Browser(second)
    #expect(try browser.signIn(&authenticator).status == 200)
  }

  /// Who took the phone is out when its passkey is removed.
  @Test("Removing a passkey ends its sessions") func aRemovedPasskeysSessionsEnd() throws {
    var (bench, owner, authenticator) = try bench()
    defer { bench.stop() }
    var phone = Browser(bench)
    #expect(try phone.signIn(&authenticator).status == 200)
    #expect(try phone.call("client/list").status == 200)
    let id = try #require(try owner.call("passkey/list").result["passkeys"]?[0]?["id"])
    #expect(try owner.call("passkey/remove", ["id": id]).json["ok"] == true)
    #expect(try phone.call("client/list").status == 401)
    #expect(try owner.call("client/list").status == 200)
  }

  /// Who took the phone must not come back by signing in at the moment that its passkey is removed.
  @Test("A passkey that is removed during its sign-in does not sign in")
  func aPasskeyThatIsRemovedWhileItSignsInStaysRemoved() throws {
    var (bench, owner, authenticator) = try bench()
    defer { bench.stop() }
    let id = try #require(try owner.call("passkey/list").result["passkeys"]?[0]?["id"])
    let (console, kept) = (bench.console, bench.kept)
    bench.meanwhile.change { $0.body = { _ = console.removePasskey(["id": id]) } }
    var thief = Browser(bench)
    #expect(try thief.signIn(&authenticator).status == 401)
    #expect(try thief.call("client/list").status == 401)
    #expect(kept.withLock { $0.isEmpty })
    #expect(try owner.call("passkey/list").result["passkeys"] == [])
  }

  @Test("The answer of a passkey signs in once") func anAnswerSignsInOnce() throws {
    var (bench, _, authenticator) = try bench()
    defer { bench.stop() }
    var (browser, thief) = (Browser(bench), Browser(bench))
    let options = try browser.call("passkey/challenge").result["publicKey"] ?? .null
    let answer: JSONValue = ["credential": try authenticator.get(options)]
    #expect(try browser.call("passkey/sign-in", answer).status == 200)
    #expect(try thief.call("passkey/sign-in", answer).status == 401)
    #expect(try thief.call("client/list").status == 401)
    #expect(bench.events.withLock { $0.last } == .signInFailed(count: 1, from: .thisMachine))
  }

  /// A challenge is used up by a wrong answer, too.
  @Test("A challenge is used up by a wrong answer, too") func aChallengeIsForOneAnswer() throws {
    var (bench, _, authenticator) = try bench()
    defer { bench.stop() }
    var browser = Browser(bench)
    let options = try browser.call("passkey/challenge").result["publicKey"] ?? .null
    var stranger = try Authenticator(origin: bench.origin)
    #expect(try browser.call("passkey/sign-in", ["credential": try stranger.get(options)]).status == 401)
    #expect(try browser.call("passkey/sign-in", ["credential": try authenticator.get(options)]).status == 401)
  }

  @Test("Challenges that strangers request do not use up the owner's") func aChallengeOutlivesOthers() throws {
    var (bench, _, authenticator) = try bench()
    defer { bench.stop() }
    var (browser, stranger) = (Browser(bench), Browser(bench))
    let options = try browser.call("passkey/challenge").result["publicKey"] ?? .null
    for _ in 0..<300 { _ = try stranger.call("passkey/challenge") }
    #expect(try browser.call("passkey/sign-in", ["credential": try authenticator.get(options)]).status == 200)
  }

  @Test("A correct answer signs in exactly once, even when wrong answers follow") func aFloodOfWrongAnswersBringsNoneBack() throws
  {
    let origin = try #require(ConsoleOrigin(isSecure: false, host: "localhost", port: 1))
    let now = ConsoleTime(wall: 0, steady: 1_000)
    var challenges = SignInChallenges()
    let right = challenges.make(at: origin, now: now)
    #expect(try challenges.spend(right.challenge, at: origin, now: now).salt == right.salt)
    try challenges.answer(right.challenge, now: now)
    for _ in 0..<1_000 { _ = try challenges.spend(challenges.make(at: origin, now: now).challenge, at: origin, now: now) }
    #expect(throws: PasskeyError.challengeUnknown) { try challenges.spend(right.challenge, at: origin, now: now) }
    #expect(throws: PasskeyError.challengeUnknown) { try challenges.answer(right.challenge, now: now) }
  }

  @Test("A challenge that is invented, altered or used at another address is refused") func madeUpChallengesAreRefused() throws {
    let origin = try #require(ConsoleOrigin(isSecure: false, host: "localhost", port: 1))
    let other = try #require(ConsoleOrigin(isSecure: false, host: "localhost", port: 2))
    let now = ConsoleTime(wall: 0, steady: 1_000)
    var challenges = SignInChallenges()
    let given = challenges.make(at: origin, now: now).challenge
    for index in given.indices {
      var changed = given
      changed[index] ^= 1
      #expect(throws: PasskeyError.challengeUnknown) { try challenges.spend(changed, at: origin, now: now) }
    }
    for made in [[], [UInt8](repeating: 0, count: 56), given.dropLast(), given + [0]] {
      #expect(throws: PasskeyError.challengeUnknown) { try challenges.spend(Array(made), at: origin, now: now) }
    }
    #expect(throws: PasskeyError.challengeUnknown) { try challenges.spend(given, at: other, now: now) }
    var another = SignInChallenges()
    #expect(throws: PasskeyError.challengeUnknown) { try another.spend(given, at: origin, now: now) }
    _ = try challenges.spend(given, at: origin, now: now)
  }

  @Test("A challenge is valid only for its address, its purpose and a limited time") func aChallengeIsForOneAddress() throws {
    let origin = try #require(ConsoleOrigin(isSecure: true, host: "signer.example", port: 443))
    let other = try #require(ConsoleOrigin(isSecure: true, host: "other.example", port: 443))
    let now = ConsoleTime(wall: 1_700_000_000, steady: 1_000_000)
    func fault(_ purpose: PasskeyChallenges.Purpose, _ place: ConsoleOrigin, after milliseconds: Int64 = 0) -> PasskeyError? {
      var challenges = PasskeyChallenges()
      let given = challenges.make(for: .prove(session: "one"), at: origin, now: now)
      let then = ConsoleTime(wall: now.wall, steady: now.steady + milliseconds)
      do throws(PasskeyError) { try challenges.spend(given.challenge, for: purpose, at: place, now: then) } catch { return error }
      return nil
    }
    #expect(fault(.prove(session: "one"), origin) == nil)
    #expect(fault(.prove(session: "one"), other) == .challengeUnknown)
    #expect(fault(.prove(session: "two"), origin) == .challengeUnknown)
    #expect(fault(.signIn, origin) == .challengeUnknown)
    #expect(fault(.prove(session: "one"), origin, after: PasskeyChallenges.lifeMilliseconds) == .challengeUnknown)
  }

  @Test("A challenge expires") func aChallengeEnds() throws {
    var (bench, _, authenticator) = try bench()
    defer { bench.stop() }
    var browser = Browser(bench)
    let options = try browser.call("passkey/challenge").result["publicKey"] ?? .null
    bench.seconds.withLock { $0 += PasskeyChallenges.lifeMilliseconds / 1000 }
    #expect(try browser.call("passkey/sign-in", ["credential": try authenticator.get(options)]).status == 401)
  }

  static let wrong: [(String, @Sendable (inout Authenticator, ConsoleBench) throws -> Void)] = [
    ("another origin", { device, _ in device.origin = "http://evil.example" }),
    ("our address in another scheme", { device, bench in device.origin = "https://\(bench.authority)" }),
    ("another port", { device, _ in device.origin = "http://localhost:1" }),
    ("a frame", { device, _ in device.crossOrigin = true }),
    ("a frame's page", { device, _ in device.topOrigin = "http://evil.example" }),
    ("another host's passkey", { device, _ in device.party = "evil.example" }),
    ("nobody there", { device, _ in device.flags = 4 }),
    ("nobody recognised", { device, _ in device.flags = 1 }),
    ("backed up without being able to", { device, _ in device.flags = 1 | 4 | 16 }),
    ("a registration's answer", { device, _ in device.type = "webauthn.create" }),
    ("a payment's answer", { device, _ in device.type = "payment.get" }),
    ("another id", { device, _ in device.id[0] ^= 1 }),
    ("another person", { device, _ in device.userHandle[0] ^= 1 }),
    (
      "another key",
      { device, bench in
        var other = try Authenticator(origin: bench.origin)
        (other.id, other.userHandle) = (device.id, device.userHandle)
        device = other
      }
    ),
  ]

  @Test("A wrong answer does not sign in") func aWrongAnswerDoesNotSignIn() throws {
    let (bench, _, right) = try bench()
    defer { bench.stop() }
    for (what, change) in Self.wrong {
      bench.seconds.withLock { $0 += 60 }
      var authenticator = right
      try change(&authenticator, bench)
      var browser = Browser(bench)
      #expect(try browser.signIn(&authenticator).status == 401, "\(what)")
      #expect(browser.cookie == nil)
    }
    var (authenticator, browser) = (right, Browser(bench))
    #expect(try browser.signIn(&authenticator).status == 200)
  }

  @Test("An answer with a changed byte is refused") func anyChangedByteOfTheAnswerIsRefused() throws {
    let (bench, _, right) = try bench()
    defer { bench.stop() }
    for member in ["clientDataJSON", "authenticatorData", "signature", "userHandle"] {
      bench.seconds.withLock { $0 += 60 }
      var (authenticator, browser) = (right, Browser(bench))
      let options = try browser.call("passkey/challenge").result["publicKey"] ?? .null
      let answer = try authenticator.get(options)
      var bytes = try #require(answer["response"]?[member]?.string.flatMap { Base64URL.decode($0) })
      bytes[bytes.count / 2] ^= 1
      let changed = answer.replacing("response", answer["response"]!.replacing(member, .string(Base64URL.string(bytes))))
      #expect(try browser.call("passkey/sign-in", ["credential": changed]).status == 401, "\(member)")
    }
  }

  @Test("A passkey whose counter goes back is refused and reported as possibly copied")
  func aCounterThatGoesBackIsRefusedAndTold() throws {
    var (bench, _, authenticator) = try bench()
    defer { bench.stop() }
    var copy = authenticator
    var browser = Browser(bench)
    for _ in 0..<3 { #expect(try browser.signIn(&authenticator).status == 200) }
    var thief = Browser(bench)
    #expect(try thief.signIn(&copy).status == 401)
    #expect(bench.events.withLock { $0.contains(.passkeyMayBeCopied) })
  }

  // MARK: adding

  @Test("Only a signed-in owner can add a passkey") func onlyWhoIsSignedInAddsAPasskey() throws {
    let bench = try ConsoleBench()
    defer { bench.stop() }
    var stranger = Browser(bench)
    for call in ["passkey/begin", "passkey/add", "passkey/list", "passkey/remove"] {
      #expect(try stranger.call(call).status == 401)
    }
  }

  @Test("Adding and removing a passkey needs a recent sign-in") func addingAndRemovingNeedARecentSignIn() throws {
    var (bench, owner, authenticator) = try bench()
    defer { bench.stop() }
    bench.seconds.withLock { $0 += Sessions.recentMilliseconds / 1000 }
    let id = try #require(try owner.call("passkey/list").result["passkeys"]?[0]?["id"])
    #expect(try owner.call("passkey/begin").json["wants"] == "proof")
    #expect(try owner.call("passkey/remove", ["id": id]).json["wants"] == "proof")
    let cookie = owner.cookie
    #expect(try owner.signIn(&authenticator).status == 200)
    #expect(owner.cookie != cookie && owner.cookie != nil)
    #expect(try owner.call("session/list").result["sessions"]?.array?.count == 1)
    #expect(try owner.call("passkey/remove", ["id": id]).json["ok"] == true)
    #expect(bench.kept.withLock { $0.isEmpty })
    var browser = Browser(bench)
    #expect(try browser.call("session/state").result["has_passkeys"] == false)
    #expect(try browser.signIn(&authenticator).status == 401)
  }

  /// Whoever finds a locked signer's console open must not be able to come back once it is unlocked.
  @Test("While the signer is locked, no passkey is added") func whileLockedNoPasskeyIsAdded() throws {
    var (bench, owner, _) = try bench()
    defer { bench.stop() }
    let before = bench.kept.withLock { $0.count }
    var other = try Authenticator(origin: bench.origin)
    let options = try owner.call("passkey/begin").result["publicKey"] ?? .null
    bench.isLocked.withLock { $0 = true }
    let refusal = try owner.call("passkey/begin").json
    #expect(refusal["exit"] == 3 && refusal["wants"] == "unlock")
    let made = try other.create(options)
    #expect(try owner.call("passkey/add", ["credential": made, "name": "phone"]).json["exit"] == 3)
    #expect(bench.kept.withLock { $0.count } == before)
  }

  @Test("A new passkey can be added only by the session that asked for it")
  func aNewPasskeyIsForTheSessionThatAskedForIt() throws {
    let (bench, first, _) = try bench()
    defer { bench.stop() }
    var (one, two) = (first, try bench.signedIn())
    let options = try one.call("passkey/begin").result["publicKey"] ?? .null
    var authenticator = try Authenticator(origin: bench.origin)
    let answer: JSONValue = ["credential": try authenticator.create(options), "name": "x"]
    #expect(try two.call("passkey/add", answer).json["ok"] == false)
    #expect(try one.call("passkey/add", answer).json["ok"] == false)
  }

  static let wrongNew: [(String, @Sendable (inout Authenticator) -> Void)] = [
    ("another origin", { $0.origin = "http://evil.example" }), ("another host", { $0.party = "evil.example" }),
    ("a frame", { $0.crossOrigin = true }), ("nobody recognised", { $0.flags = 1 }),
    ("a sign-in's answer", { $0.type = "webauthn.get" }), ("EdDSA", { $0.algorithm = -8 }), ("no id", { $0.id = [] }),
    ("a long id", { $0.id = [UInt8](repeating: 7, count: 1024) }),
  ]

  @Test("A new passkey with wrong data is refused") func aWrongNewPasskeyIsRefused() throws {
    let bench = try ConsoleBench()
    defer { bench.stop() }
    var browser = try bench.signedIn()
    for (what, change) in Self.wrongNew {
      var authenticator = try Authenticator(origin: bench.origin)
      change(&authenticator)
      #expect(try browser.add(&authenticator).json["ok"] == false, "\(what)")
    }
    #expect(bench.kept.withLock { $0.isEmpty })
  }

  @Test("The same passkey cannot be added twice") func theSamePasskeyIsNotAddedTwice() throws {
    var (bench, browser, authenticator) = try bench()
    defer { bench.stop() }
    #expect(try browser.add(&authenticator).json["ok"] == false)
    #expect(bench.kept.withLock { $0.count } == 1)
  }

  @Test(
    "The name of a passkey is made printable and cut to 64 characters",
    arguments: [
      ("  my\u{202e} phone\n ", "my phone"), (String(repeating: "n", count: 70), String(repeating: "n", count: 64)),
    ])
  func aNameIsMadePrintable(text: String, shown: String) { #expect(Passkey.shownName(text) == shown) }

  @Test("A stored passkey is read back as it was written") func aRecordIsReadAsItWasWritten() throws {
    let (bench, _, _) = try bench()
    defer { bench.stop() }
    let record = try #require(bench.kept.withLock { $0.values.first })
    #expect(Passkey(record: record)?.record == record)
    #expect(Passkey(record: Array(record.dropLast())) == nil)
    #expect(bench.console.state.withLock { $0.passkeys.all.first?.record } == record)
  }

  @Test(
    "Passkeys need a host name, not an IP address",
    arguments: [
      ("127.0.0.1", false, false), ("[::1]", false, false), ("192.168.1.5", true, false), ("signer.example", false, false),
      ("localhost", false, true), ("signer.example", true, true),
    ]) func addressesHaveNoPasskeys(host: String, isSecure: Bool, may: Bool) throws
  {
    #expect(try #require(ConsoleOrigin(isSecure: isSecure, host: host, port: 443)).canHavePasskeys == may)
  }
}

extension JSONValue {
  fileprivate func replacing(_ name: String, _ value: JSONValue) -> JSONValue {
    .object((members ?? []).map { $0.key == name ? .init(name, value) : $0 })
  }
}
