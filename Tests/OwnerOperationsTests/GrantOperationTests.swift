import AuditLog
import Curve
import DaemonSupport
import JSON
import Nostr
import OwnerAPI
import RemoteSigning
import Testing

@testable import Signer

/// What the owner says about one app, and what comes of it.
@Suite struct GrantOperationTests {
  private func rules(_ shown: JSONValue) -> [String] {
    (shown["rules"]?.array ?? []).map { "\($0["verdict"]?.string ?? "") \($0["permission"]?.string ?? "")" }
  }

  @Test("A permission for an hour is shown, survives a restart and ends on time")
  func anAnswerForATimeIsStoredShownAndEnds() throws {
    let signer = try Signer()
    let app = try signer.pairedApp()
    try signer.operations.ask("client/deny", ["client": "tester", "permission": "sign_event:1"])
    let shown = try signer.operations.ask("client/allow", ["client": "tester", "permission": "sign_event:1", "for": "1h"])
    #expect(rules(shown) == ["allow sign_event:1", "deny sign_event:1"])
    let rule = try unwrap(shown["rules"]?[0])
    let (made, expires) = (try unwrap(rule["made"]?.integer), try unwrap(rule["expires"]?.integer))
    #expect(expires - made == 3600 && shown["rules"]?[1]?["expires"]?.isNull == true)
    let again = try signer.reopened()
    #expect(rules(try again.operations.ask("client/show", ["client": "tester"])) == rules(shown))
    guard case .result = try again.ask(app, "sign_event", [note(kind: 1)]) else { throw Missing() }
    again.stopClock(at: expires)
    #expect(try again.ask(app, "sign_event", [note(kind: 1)]) == .error("not permitted"))
    again.close()
  }

  @Test("People read a permission for one person without 64 digits; programs read it whole")
  func aPersonIsShortened() throws {
    let signer = try Signer()
    _ = try signer.pairedApp()
    let friend = try KeyPair.random().publicKey
    let own = try unwrap(signer.core.engine.pairings.first).identity
    let shown = try signer.operations.ask(
      "client/allow",
      ["client": "tester", "permissions": ["nip44_encrypt@self", .string("nip44_decrypt@\(friend.hex)")], "for": "always"])
    let rules = (shown["rules"]?.array ?? []).map { ($0["permission"]?.string ?? "", $0["text"]?.string ?? "") }
    #expect(rules.contains { $0 == ("nip44_encrypt@\(own.hex)", "nip44_encrypt@self") }, "\(rules)")
    #expect(
      rules.contains { $0 == ("nip44_decrypt@\(friend.hex)", "nip44_decrypt@\(friend.npub.prefix(12))…\(friend.npub.suffix(7))") }
    )
    let logged = try signer.entries(.grantChanged).compactMap { $0.rule?.description }
    #expect(logged.suffix(2) == ["allow always: nip44_encrypt@self", "allow always: nip44_decrypt@\(friend.npub.prefix(20))"])
    signer.close()
  }

  @Test("A permission lasts for any time from a minute to a year, and the log says for how long")
  func aPermissionLastsForAnyTime() throws {
    let signer = try Signer()
    _ = try signer.pairedApp()
    let shown = try signer.operations.ask("client/allow", ["client": "tester", "permission": "sign_event:1", "for": "90m"])
    let rule = try unwrap(shown["rules"]?[0])
    #expect(try unwrap(rule["expires"]?.integer) - unwrap(rule["made"]?.integer) == 5400)
    #expect(try signer.entries(.grantChanged).last?.rule?.description == "allow for 90m: sign_event:1")
    let refused = failure {
      try signer.operations.ask("client/allow", ["client": "tester", "permission": "sign_event:7375", "for": "2d"])
    }
    #expect(refused?.error == "Kind 7375 spends money, so it can be allowed for 1d at most.")
    signer.close()
  }

  @Test("Several permissions are changed at once, all or none, and the log has each")
  func severalPermissionsAreChangedTogether() throws {
    let signer = try Signer()
    _ = try signer.pairedApp()
    func change(_ verb: String, _ permissions: [String], _ more: [JSONValue.Member] = []) throws -> [String] {
      let texts = JSONValue.array(permissions.map { .string($0) })
      let given = JSONValue.object([.init("client", "tester"), .init("permissions", texts)] + more)
      return rules(try signer.operations.ask("client/\(verb)", given))
    }
    func logged() throws -> [String] { try signer.entries(.grantChanged).compactMap { $0.rule?.description } }
    #expect(
      try change("allow", ["sign_event:1", "sign_event:7", "sign_event:1"], [.init("for", "2h")])
        == ["allow sign_event:1", "allow sign_event:7"])
    #expect(try logged().suffix(2) == ["allow for 2h: sign_event:1", "allow for 2h: sign_event:7"])
    let before = try logged()
    for (verb, wrong) in [
      ("allow", ["sign_event:6", "sign_event:62"]), ("deny", ["sign_event:6", "ping"]), ("allow", ["sign_event:6", "fly"]),
      ("forget", ["sign_event:1", "sign_event:6"]), ("deny", []),
      ("deny", (0...50).map { "sign_event:\($0 + 1000)" }),
    ] {
      #expect(failure { try change(verb, wrong) } != nil, "\(verb) \(wrong)")
    }
    #expect(try logged() == before)
    #expect(try change("forget", ["sign_event:7", "sign_event:1"]) == [])
    signer.close()
  }

  @Test("An app's permissions are shown with who decides, and with what each did in the last 30 days")
  func permissionsAreShownWithWhatTheyDid() throws {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "medium")
    func row(_ permission: String) throws -> JSONValue {
      let rows = try signer.operations.ask("client/permissions", ["client": "tester"])["permissions"]?.array ?? []
      return try unwrap(rows.first { $0["permission"]?.string == permission })
    }
    for n in 0..<3 { _ = try signer.ask(app, "sign_event", [Account.template(1, "\(n)", [])]) }
    try signer.operations.ask("client/deny", ["client": "tester", "permission": "sign_event:7"])
    #expect(try signer.ask(app, "sign_event", [Account.template(7, "+", [])]) == .error("not permitted"))
    try signer.deliver(app, "sign_event", [Account.template(0, "{}", [])])
    let waiting = try unwrap(signer.core.engine.pendingRequests.first)
    try signer.operations.ask("request/approve", ["id": .string(waiting.name)])
    #expect(try row("sign_event:1")["allowed"] == 3 && row("sign_event:1")["rule"] == "medium-trust")
    #expect(try row("sign_event:0")["asked"] == 1 && row("sign_event:0")["approved"] == 1)
    #expect(try row("sign_event:0")["verdict"] == "ask" && row("sign_event:0")["own_rule"] == false)
    #expect(try row("sign_event:7")["denied"] == 1 && row("sign_event:7")["own_rule"] == true)
    #expect(try row("sign_event:3")["verdict"] == "ask" && row("sign_event:3")["allowed"] == 0)
    try signer.operations.ask("client/suspend", ["client": "tester"])
    #expect(try row("sign_event:1")["verdict"] == "ask" && row("sign_event:1")["rule"] == "suspended")
    signer.close()
  }

  @Test(
    "An app's permissions say for how long each can be allowed, also one that it never used",
    arguments: [
      ("sign_event:1", "always", false), ("sign_event:9321", "1d", false), ("sign_event:62", "once", false),
      ("sign_event:27235", "1w", true),
    ])
  func thePermissionsSayHowLongTheyCanLast(permission: String, longest: String, needsPlace: Bool) throws {
    let signer = try Signer()
    _ = try signer.pairedApp()
    let shown = try signer.operations.ask("client/permissions", ["client": "tester", "permission": .string(permission)])
    let row = try unwrap(shown["permissions"]?.array?.first { $0["permission"]?.string == permission })
    #expect(row["longest"]?.string == longest && row["needs_place"]?.bool == needsPlace)
    signer.close()
  }

  @Test(
    "Some things can be allowed only for a limited time or for one place",
    arguments: [
      (["permission": "sign_event:27235@GET https://a.example/"], OperationError.Exit.denied),
      (["permission": "sign_event:27235"], .denied), (["permission": "sign_event:27235", "for": "1w"], .denied),
      (["permission": "sign_event:22242"], .denied),
      (["permission": "sign_event:7375", "for": "1w"], .denied), (["permission": "sign_event:1", "for": "2h"], nil),
      (["permission": "sign_event:1", "for": "59s"], .usage), (["permission": "sign_event:1", "for": "366d"], .usage),
      (["permission": "sign_event:1", "for": "2 h"], .usage), (["permission": "sign_event:1", "for": "365d"], nil),
      (["permission": "sign_event:7375", "for": "25h"], .denied), (["permission": "sign_event:7375", "for": "90m"], nil),
      (["permission": "sign_event:1", "for": "once"], .usage), (["permission": "sign_event:1@x"], .usage),
      (["permission": "sign_event:7375", "for": "1d"], nil),
      (["permission": "sign_event:27235@GET https://a.example/", "for": "1w"], nil),
      (["permission": "sign_event:22242@wss://relay.example"], nil), (["permission": "nip44_decrypt@self"], .denied),
      (["permission": "nip44_decrypt@self", "for": "1w"], .denied), (["permission": "nip44_decrypt@self", "for": "1d"], nil),
      (["permission": "sign_event:62", "for": "5m"], .denied), (["permission": "sign_event:24133", "for": "5m"], .denied),
      (["permission": "sign_event:24242"], .denied), (["permission": "sign_event:24242@delete a.example", "for": "1w"], .denied),
      (["permission": "sign_event:24242@delete a.example", "for": "1d"], nil),
      (["permission": "sign_event:24242@upload", "for": "1w"], nil), (["permission": "sign_event:24242@UPLOAD"], .usage),
      (["permission": "sign_event:24242@upload a b"], .usage), (["permission": "sign_event:9321", "for": "1w"], .denied),
    ] as [([String: JSONValue], OperationError.Exit?)])
  func someThingsAreAllowedForATimeOrAPlaceOnly(_ given: [String: JSONValue], _ failure: OperationError.Exit?) throws {
    let signer = try Signer()
    _ = try signer.pairedApp()
    let parameters = JSONValue.object([.init("client", "tester")] + given.map { .init($0.key, $0.value) })
    #expect(exit(signer.operations, "client/allow", parameters) == failure)
    signer.close()
  }

  @Test("A person in a rule may be an npub, an nprofile or hex, and is stored as hex")
  func aPersonInARule() throws {
    let signer = try Signer()
    _ = try signer.pairedApp()
    let key = try KeyPair.random().publicKey
    let profile = try NIP19.profile(key, relays: ["wss://relay.example"]).text()
    for (number, method) in ["nip44_decrypt", "nip44_encrypt", "nip04_decrypt", "nip04_encrypt"].enumerated() {
      let written = [key.npub, profile, "nostr:\(key.npub)", key.npub.uppercased()][number]
      for (operation, verdict) in [("client/allow", "allow"), ("client/ask", "ask"), ("client/deny", "deny")] {
        let shown = try signer.operations.ask(operation, ["client": "tester", "permission": .string("\(method)@\(written)")])
        #expect(rules(shown).contains("\(verdict) \(method)@\(key.hex)"))
      }
    }
    let request: JSONValue = ["method": "nip44_decrypt", "params": [.string(key.hex), "x"]]
    let explained = try signer.operations.ask(
      "policy/explain",
      ["client": "tester", "request": request, "change": [.string("forget=nip44_decrypt@\(key.npub)")]])
    #expect(explained["now"]?["verdict"] == "deny" && explained["changed"]?["verdict"] != "deny")
    signer.close()
  }

  @Test(
    "A permission that cannot be read is refused with what is wrong",
    arguments: [
      ("nip44_decrypt@npub1xyz", "not a person"), ("nip04_encrypt@", "not a person"), ("nip44_encrypt@alice", "not a person"),
      ("nip44_decrypt@note1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqn5cd3k", "not a person"),
      ("nip44_decrypt:4", "Only sign_event"), ("sign_event:x", "a number"), ("sign_event:70000", "a number"),
      ("sign_event:1@wss://r", "does not fit"), ("decrypt", "is a method"),
    ])
  func aBadPermissionIsExplained(text: String, fault: String) throws {
    let signer = try Signer()
    _ = try signer.pairedApp()
    let error = #expect(throws: OperationError.self) {
      try signer.operations.ask("client/deny", ["client": "tester", "permission": .string(text)])
    }
    #expect(error?.error.contains(fault) == true, "\(error?.error ?? "")")
    #expect(error?.hint?.contains("For example") == true || error?.hint?.contains("npub1…") == true)
    signer.close()
  }

  @Test("A removed rule no longer applies") func whatIsTakenBackIsGone() throws {
    let signer = try Signer()
    _ = try signer.pairedApp()
    try signer.operations.ask("client/ask", ["client": "tester", "permission": "sign_event:1"])
    let shown = try signer.operations.ask("client/forget", ["client": "tester", "permission": "sign_event:1"])
    #expect(rules(shown).isEmpty)
    #expect(exit(signer.operations, "client/forget", ["client": "tester", "permission": "sign_event:1"]) == .notFound)
    signer.close()
  }

  /// What an app asked for when it paired stands beside what it would be told.
  @Test("What an app asked for is shown beside what it would get") func wishesAreShownAgainstWhatHolds() throws {
    let signer = try Signer()
    let (app, secret) = try signer.appWithLink()
    _ = try signer.ask(
      app, "connect", [app.signer.hex, secret, "sign_event:1,sign_event:0,nip44_decrypt", #"{"name":"tester"}"#])
    signer.settle()
    let shown = try signer.operations.ask("client/deny", ["client": "tester", "permission": "nip44_decrypt"])
    let wishes = (shown["requested"]?.array ?? []).map {
      [$0["permission"], $0["verdict"], $0["rule"]].map { $0?.string ?? "" }.joined(separator: " ")
    }
    #expect(
      wishes == ["sign_event:1 allow medium-trust", "sign_event:0 ask protected-kind", "nip44_decrypt deny owner-denied"])
    #expect(shown["requested"]?[0]?["reason"] == "medium trust")
    signer.close()
  }

  @Test("Requests beyond an app's limit ask the owner until the limit is removed") func aLimitAsksAndIsLifted() throws {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "full")
    try signer.operations.ask("client/limit", ["client": "tester", "per_hour": 2])
    for number in 0..<2 {
      guard case .result = try signer.ask(app, "sign_event", [note("\(number)")]) else { throw Missing() }
    }
    try signer.deliver(app, "sign_event", [note("third")])
    #expect(signer.core.engine.pendingRequests.map(\.rule) == [.hourLimit])
    try signer.operations.ask("client/limit", ["client": "tester", "per_hour": nil])
    guard case .result = try signer.ask(app, "sign_event", [note("fourth")]) else { throw Missing() }
    signer.close()
  }

  @Test("A limit that cannot be is refused without a field's name") func aLimitThatCannotBe() throws {
    let signer = try Signer()
    _ = try signer.pairedApp()
    for (operation, parameters) in [
      ("client/limit", ["client": "tester", "per_minute": -1]),
      ("client/budget", ["client": "tester", "permission": "sign_event:1", "count": -1, "period": "1d"]),
    ] as [(String, JSONValue)] {
      let refusal = failure { try signer.operations.ask(operation, parameters) }
      #expect(refusal?.error == "A limit is a whole number from 0 to 1000000000, or none.", "\(operation)")
    }
    signer.close()
  }

  @Test("A paused app asks for everything until it is resumed") func aSuspendedAppIsAskedAboutEverything() throws {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "full")
    #expect(try signer.operations.ask("client/suspend", ["client": "tester"])["suspended"] == true)
    try signer.deliver(app, "sign_event", [note(kind: 1)])
    #expect(signer.core.engine.pendingRequests.map(\.rule) == [.suspended])
    #expect(try signer.operations.ask("client/resume", ["client": "tester"])["suspended"] == false)
    guard case .result = try signer.ask(app, "sign_event", [note("b")]) else { throw Missing() }
    signer.close()
  }
}
