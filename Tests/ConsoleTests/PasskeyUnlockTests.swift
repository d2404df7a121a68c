import Encodings
import JSON
import OwnerAPI
import Platform
import SecretMemory
import Testing

@testable import Console

/// What a browser must bring for a passkey to unlock or to prove, and what goes on from here when it does.
@Suite(.serialized) struct PasskeyUnlockTests {
  static let output = [UInt8](repeating: 0x5A, count: 32)
  static let salt = [UInt8](repeating: 7, count: 32)

  /// A signed-in browser with a passkey, and a slot that it opens.
  private func bench() throws -> (ConsoleBench, Browser, Authenticator) {
    let bench = try ConsoleBench()
    var browser = try bench.signedIn()
    var authenticator = try Authenticator(origin: bench.origin)
    try #require(try browser.add(&authenticator).json["ok"] == true)
    bench.slots.change {
      $0 = [PasskeySlot(id: 3, credentialID: authenticator.id, party: "localhost", salt: Self.salt, label: "phone")]
    }
    return (bench, browser, authenticator)
  }

  private func options(_ browser: inout Browser) throws -> JSONValue {
    try #require(try browser.call("slot/unlock-options").result["publicKey"])
  }

  /// The one operation that was asked of the owner's side, besides listing.
  private func asked(_ bench: ConsoleBench) throws -> (JSONValue, [String: [UInt8]]) {
    let request = try #require(bench.asked.withLock { $0 }.last)
    return (request.parameters, request.secrets.mapValues { $0.withBytes { Array($0) } })
  }

  @Test("The unlock options name the slot's passkey, its salt and a new salt")
  func theOptionsNameTheSlotsPasskeyItsSaltAndTheNext() throws {
    var (bench, browser, authenticator) = try bench()
    defer { bench.stop() }
    let options = try options(&browser)
    let id = Base64URL.string(authenticator.id)
    #expect(options["userVerification"] == "required" && options["rpId"] == "localhost")
    #expect(options["allowCredentials"] == [["type": "public-key", "id": .string(id)]])
    let inputs = options["extensions"]?["prf"]?["evalByCredential"]?[id]
    #expect(inputs?["first"]?.string == Base64URL.string(Self.salt))
    let next = try #require(inputs?["second"]?.string.flatMap { Base64URL.decode($0) })
    #expect(next.count == 32 && next != Self.salt)
    #expect(try self.options(&browser)["extensions"] != options["extensions"], "the next salt is fresh each time")
    _ = authenticator
  }

  @Test("A correct passkey answer unlocks the vault and sets the next salt")
  func aRightAnswerUnlocksByTheOutputAndNamesTheNextSalt() throws {
    var (bench, browser, authenticator) = try bench()
    defer { bench.stop() }
    let options = try options(&browser)
    let credential = try authenticator.get(options)
    let got = try browser.call(
      "unlock", ["credential": credential, "next_salt": "AAAA", "remember": true],
      secrets: [("prf", Self.output), ("prf_next", Self.salt), ("passphrase", [1])])
    #expect(got.json["ok"] == true)
    let (parameters, secrets) = try asked(bench)
    let id = Base64URL.string(authenticator.id)
    #expect(parameters["credential"]?.string == id && parameters.members?.count == 2)
    #expect(parameters["next_salt"] == options["extensions"]?["prf"]?["evalByCredential"]?[id]?["second"])
    #expect(secrets == ["prf": Self.output, "prf_next": Self.salt])
  }

  @Test("The salt stays when the passkey gives only one output") func withoutASecondOutputNothingIsRotated() throws {
    var (bench, browser, authenticator) = try bench()
    defer { bench.stop() }
    let credential = try authenticator.get(try options(&browser))
    _ = try browser.call("unlock", ["credential": credential], secrets: [("prf", Self.output)])
    #expect(try asked(bench).0["next_salt"] == nil)
  }

  static let wrong: [(String, @Sendable (inout Authenticator) -> Void)] = [
    ("nobody was verified", { $0.flags = 1 }), ("another origin", { $0.origin = "http://evil.example" }),
    ("another host", { $0.party = "evil.example" }), ("a frame", { $0.crossOrigin = true }),
    ("no use", { $0.type = "webauthn.create" }),
    ("another key", { $0 = (try? Authenticator(origin: $0.origin, like: $0)) ?? $0 }), ("a copy", { $0.count = 0 }),
  ]

  @Test("The passkey's output does not unlock without a correct answer") func theOutputAloneUnlocksNothing() throws {
    for (what, change) in Self.wrong {
      var (bench, browser, authenticator) = try bench()
      defer { bench.stop() }
      _ = try browser.call(
        "unlock", ["credential": try authenticator.get(try options(&browser))], secrets: [("prf", Self.output)])
      let before = bench.asked.withLock { $0.count }
      change(&authenticator)
      let credential = try authenticator.get(try options(&browser))
      let got = try browser.call("unlock", ["credential": credential], secrets: [("prf", Self.output)])
      #expect(got.json["ok"] == false, "\(what)")
      #expect(bench.asked.withLock { $0.count } == before, "\(what)")
    }
  }

  @Test("The id of a passkey does not count as proof") func thePasskeysNameIsNoProof() throws {
    var (bench, browser, authenticator) = try bench()
    defer { bench.stop() }
    for given: JSONValue in [.string(Base64URL.string(authenticator.id)), [:], .null, 1] {
      #expect(try browser.call("client/list", ["credential": given], secrets: [("prf", Self.output)]).json["ok"] == false)
    }
    #expect(bench.asked.withLock { $0.isEmpty })
    _ = authenticator.count
  }

  @Test("A passkey answer is valid once, for one session and one purpose")
  func anAnswerCountsOnceAndForOneBrowserAndPurpose() throws {
    var (bench, browser, authenticator) = try bench()
    defer { bench.stop() }
    let credential = try authenticator.get(try options(&browser))
    var other = try bench.signedIn()
    #expect(try other.call("unlock", ["credential": credential], secrets: [("prf", Self.output)]).json["ok"] == false)
    let second = try authenticator.get(try options(&browser))
    #expect(try browser.call("passkey/sign-in", ["credential": second]).status == 401, "given out to unlock, not to sign in")
    let third = try authenticator.get(try options(&browser))
    #expect(try browser.call("unlock", ["credential": third], secrets: [("prf", Self.output)]).json["ok"] == true)
    #expect(try browser.call("unlock", ["credential": third], secrets: [("prf", Self.output)]).json["ok"] == false)
  }

  @Test("A passkey gets a slot with its own answer") func aPasskeyIsEnrolledByItsOwnAnswer() throws {
    var (bench, browser, authenticator) = try bench()
    defer { bench.stop() }
    let passkey = try #require(try browser.call("passkey/list").result["passkeys"]?[0])
    #expect(passkey["slot"] == 3)
    #expect(try browser.call("slot/passkey-options", ["passkey": passkey["id"] ?? .null]).json["ok"] == false, "it has a slot")
    bench.slots.change { $0 = [] }
    let options = try #require(try browser.call("slot/passkey-options", ["passkey": passkey["id"] ?? .null]).result["publicKey"])
    let credential = try authenticator.get(options)
    let got = try browser.call(
      "slot/passkey-add",
      ["passkey": credential, "label": "a \u{202e}key", "salt": "AAAA", "party": "evil", "accept_loss": true],
      secrets: [("new_prf", Self.output), ("passphrase", [1, 2])])
    #expect(got.json["ok"] == true)
    let (parameters, secrets) = try asked(bench)
    let id = Base64URL.string(authenticator.id)
    #expect(parameters["passkey"]?.string == id && parameters["party"] == "localhost" && parameters["label"] == "a key")
    #expect(parameters["salt"] == options["extensions"]?["prf"]?["evalByCredential"]?[id]?["first"])
    #expect(parameters["accept_loss"] == true, "the owner's word that keys may be lost")
    #expect(secrets == ["new_prf": Self.output, "passphrase": [1, 2]])
  }

  @Test("Adding a passkey slot needs a recent sign-in") func enrollingNeedsARecentSignIn() throws {
    var (bench, browser, _) = try bench()
    defer { bench.stop() }
    bench.seconds.change { $0 += 601 }
    for operation in ["slot/passkey-options", "slot/passkey-add"] {
      #expect(try browser.call(operation).json["wants"] == "proof")
    }
  }

  @Test("A passkey that has a slot cannot be removed") func aPasskeyThatUnlocksIsNotRemovedByItself() throws {
    var (bench, browser, _) = try bench()
    defer { bench.stop() }
    let id = try #require(try browser.call("passkey/list").result["passkeys"]?[0]?["id"])
    #expect(try browser.call("passkey/remove", ["id": id]).json["ok"] == false)
    bench.slots.change { $0 = [] }
    #expect(try browser.call("passkey/remove", ["id": id]).json["ok"] == true)
  }

  @Test("One touch of a known passkey signs in and unlocks the vault")
  func aBrowserThatKnowsItsPasskeySignsInAndUnlocksByOneTouch() throws {
    var (bench, _, authenticator) = try bench()
    defer { bench.stop() }
    var browser = Browser(bench)
    let options = try #require(
      try browser.call("passkey/challenge", ["credential": .string(Base64URL.string(authenticator.id))]).result["publicKey"])
    let id = Base64URL.string(authenticator.id)
    #expect(options["extensions"]?["prf"]?["evalByCredential"]?[id]?["first"]?.string == Base64URL.string(Self.salt))
    let got = try browser.call(
      "passkey/sign-in", ["credential": try authenticator.get(options)], secrets: [("prf", Self.output), ("prf_next", Self.salt)])
    #expect(got.status == 200 && got.result["unlocked"] == true && got.result["csrf"]?.string != nil)
    let (parameters, secrets) = try asked(bench)
    #expect(parameters["credential"]?.string == id && secrets["prf"] == Self.output)
  }

  @Test("A stranger learns neither passkeys nor salts") func aStrangerLearnsNoPasskeyAndNoSalt() throws {
    let (bench, _, _) = try bench()
    defer { bench.stop() }
    var stranger = Browser(bench)
    for guess: JSONValue in [.null, "AAAA", 1] {
      let options = try #require(try stranger.call("passkey/challenge", ["credential": guess]).result["publicKey"])
      #expect(options["allowCredentials"] == [] && options["extensions"] == nil)
    }
    #expect(try stranger.call("slot/unlock-options").status == 401)
  }

  @Test("A failed unlock is reported and does not stop the sign-in") func aFailedUnlockingIsToldAndSignsInAllTheSame() throws {
    let reply = CallReply.done(["csrf": "x"]).saying(.failure(exit: 4, error: "No.", hint: nil))
    #expect(reply.body == .success(["csrf": "x", "unlocked": false, "why_locked": "No."]))
  }
}
