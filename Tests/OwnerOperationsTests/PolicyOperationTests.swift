import Curve
import DaemonSupport
import JSON
import OwnerAPI
import RemoteSigning
import Testing

@testable import Signer

@Suite struct PolicyOperationTests {
  @Test("The policy is shown for each trust level and for one app") func whatHoldsIsShownForEachTrustAndForOneApp() throws {
    let signer = try Signer()
    _ = try signer.pairedApp()
    let rows = try unwrap(try signer.operations.ask("policy/show")["defaults"]?.array)
    let profile = try unwrap(rows.first { $0["what"] == "your profile" })
    #expect(["full", "medium", "low"].map { profile[$0]?["verdict"]?.string } == ["allow", "ask", "ask"])
    #expect(profile["kinds"] == "0" && rows.first?["kinds"] == "1")
    for row in rows {
      for trust in ["full", "medium", "low"] { #expect(row[trust]?["reason"]?.string?.isEmpty == false) }
    }
    try signer.operations.ask("client/deny", ["client": "tester", "permission": "sign_event:0"])
    let held = try unwrap(try signer.operations.ask("policy/show", ["client": "tester"])["holds"]?.array)
    #expect(held.first { $0["what"] == "your profile" }?["rule"] == "owner-denied")
    try signer.operations.ask("client/deny", ["client": "tester", "permission": "sign_event:1"])
    let later = try unwrap(try signer.operations.ask("policy/show", ["client": "tester"])["holds"]?.array)
    #expect(
      later.first { $0["kinds"] == "1" }?["rule"] == "owner-denied"
        && later.first { $0["kinds"] == "7" }?["rule"] != "owner-denied")
    signer.close()
  }

  @Test("Policy settings survive a restart, and invalid ones are refused") func settingsAreStoredAndInForce() throws {
    let signer = try Signer()
    try signer.operations.ask("policy/set", ["default_trust": "low", "follow_share": 50])
    #expect(try signer.operations.ask("pair/new")["trust"] == "low")
    let again = try signer.reopened()
    let shown = try again.operations.ask("policy/show")
    #expect(shown["default_trust"] == "low" && shown["follow_share"] == 50)
    for wrong: JSONValue in [[:], ["default_trust": "some"], ["follow_share": 101], ["follow_share": "x"]] {
      #expect(exit(again.operations, "policy/set", wrong) == .usage)
    }
    again.close()
  }

  @Test(
    "The answer to a request is explained before and after a change, and the change is not made",
    arguments: [
      ([], "allow", "allow", "medium-trust"), (["trust=low"], "allow", "ask", "low-trust"),
      (["deny=sign_event:1"], "allow", "deny", "owner-denied"),
      (["deny=sign_event", "allow=sign_event:1"], "allow", "allow", "owner-allowed"),
      (["per_hour=0"], "allow", "ask", "hour-limit"), (["budget=sign_event:1:0/1d"], "allow", "ask", "budget"),
      (["suspended=true"], "allow", "ask", "suspended"),
    ] as [([String], String, String, String)])
  func aRequestIsExplainedUnderAChange(changes: [String], was: String, would: String, rule: String) throws {
    let signer = try Signer()
    let app = try signer.pairedApp()
    let said = try signer.operations.ask(
      "policy/explain",
      [
        "client": "tester", "request": ["method": "sign_event", "params": [.string(note())]],
        "change": .array(changes.map { .string($0) }),
      ])
    #expect(said["now"]?["verdict"]?.string == was && said["changed"]?["verdict"]?.string == would)
    #expect(said["changed"]?["rule"]?.string == rule && said["differs"]?.bool == (was != would))
    #expect(said["differences"]?.array?.count == (was == would ? 0 : 1))
    guard case .result = try signer.ask(app, "sign_event", [note()]) else { throw Missing() }
    signer.close()
  }

  @Test(
    "A permission is explained without a request, with every answer that its content may give it",
    arguments: [
      ("sign_event:1", [], ["allow medium-trust"]), ("sign_event:1", ["deny=sign_event:1"], ["deny owner-denied"]),
      ("nip44_encrypt", [], ["allow medium-trust"]),
    ] as [(String, [String], [String])])
  func aPermissionIsExplained(permission: String, changes: [String], outcomes: [String]) throws {
    let signer = try Signer()
    _ = try signer.pairedApp()
    let said = try signer.operations.ask(
      "policy/explain",
      ["client": "tester", "permission": .string(permission), "change": .array(changes.map { .string($0) })])
    #expect(said["permission"]?.string == permission)
    let found = (said["outcomes"]?.array ?? []).map { "\($0["verdict"]?.string ?? "") \($0["rule"]?.string ?? "")" }
    #expect(found == outcomes)
    signer.close()
  }

  @Test("Under full trust, a profile is allowed or asked by its content") func aPermissionMayDependOnTheContent() throws {
    let signer = try Signer()
    _ = try signer.pairedApp(trust: "full")
    let said = try signer.operations.ask("policy/explain", ["client": "tester", "permission": "sign_event:0"])
    #expect(said["outcomes"]?.array?.compactMap { $0["verdict"]?.string } == ["allow", "ask"])
    #expect(exit(signer.operations, "policy/explain", ["client": "tester", "permission": "fly"]) == .usage)
    signer.close()
  }

  @Test("A request or change that cannot be explained is refused") func whatCannotBeExplainedIsSaid() throws {
    let signer = try Signer()
    _ = try signer.pairedApp()
    for (request, changes) in [
      (nil, []), ("no json", []), (["method": "fly"], []), (["method": "sign_event", "params": ["{}"]], []),
      (.string(note()), ["nothing"]), (.string(note()), ["trust=some"]), (.string(note()), ["deny=fly"]),
      (.string(note()), ["budget=sign_event:1"]), (.string(note()), ["per_hour=-1"]),
    ] as [(JSONValue, [String])] {
      let given: JSONValue = ["client": "tester", "request": request, "change": .array(changes.map { .string($0) })]
      #expect(exit(signer.operations, "policy/explain", given) == .usage, "\(request) \(changes)")
    }
    #expect(exit(signer.operations, "policy/explain", ["client": "nobody", "request": .string(note())]) == .notFound)
    signer.close()
  }

  /// The log keeps no contents: an answer that depends on one is told as such, and not guessed.
  @Test("Past requests are explained under a change, and what depends on their content is said to depend")
  func thePastIsExplainedWithoutGuessing() throws {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "full")
    for number in 0..<3 { _ = try signer.ask(app, "sign_event", [note("\(number)")]) }
    _ = try signer.ask(app, "sign_event", [note("{}", kind: 0)])
    _ = try signer.ask(app, "nip44_encrypt", [app.key.publicKey.hex, "text"])
    _ = try signer.ask(app, "ping")
    func explain(_ changes: [String]) throws -> JSONValue {
      try signer.operations.ask("policy/explain", ["log": true, "change": .array(changes.map { .string($0) })])
    }
    let same = try explain([])
    #expect(same["requests"] == 5 && same["same"] == 4 && same["differ"] == 0, "a profile may change where payments go")
    #expect(same["depend"] == 1 && same["depending"]?[0]?["permission"] == "sign_event:0")
    let medium = try explain(["trust=medium"])
    #expect(medium["differ"] == 1 && medium["differences"]?[0]?["permission"] == "sign_event:0")
    #expect(medium["differences"]?[0]?["was"]?["rule"] == "full-trust")
    let possible = try unwrap(medium["differences"]?[0]?["outcomes"]?.array)
    #expect(Set(possible.compactMap { $0["rule"]?.string }) == ["protected-kind", "payment-address"])
    #expect(possible.allSatisfy { $0["verdict"] == "ask" } && medium["differences"]?[0]?["would"] == .null)
    #expect(try explain(["deny=sign_event:1"])["differ"] == 3)
    #expect(try explain(["budget=sign_event:1:2/1d"])["differ"] == 1, "the third is beyond the budget")
    let one = try explain(["deny=nip44_encrypt@\(app.key.publicKey.hex)"])
    #expect(one["differ"] == 0 && one["depend"] == 2)
    let outcomes = (one["depending"]?[1]?["outcomes"]?.array ?? []).map { $0["verdict"]?.string ?? "" }
    #expect(Set(outcomes) == ["allow", "deny"] && one["depending"]?[1]?["would"]?.isNull == true)
    signer.close()
  }

  @Test("A request that the owner answered counts as one that asked") func theOwnersOwnAnswersAreNotExplainedAway() throws {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "low")
    try signer.deliver(app, "sign_event", [note()])
    let name = try unwrap(signer.core.engine.pendingRequests.first?.name)
    try signer.operations.ask("request/approve", ["id": .string(name)])
    signer.settle()
    let said = try signer.operations.ask("policy/explain", ["log": true, "client": "tester", "change": ["trust=full"]])
    #expect(said["requests"] == 1 && said["differ"] == 1 && said["differences"]?[0]?["was"]?["verdict"] == "ask")
    signer.close()
  }
}
