import Curve
import DaemonSupport
import Desktop
import JSON
import OwnerAPI
import Platform
import RemoteSigning
import Testing

@testable import Notifications
@testable import Signer

/// What may be answered together, or by a button that shows a heading only.
@Suite struct BatchTests {
  private func keys(_ signer: Signer) throws -> [String?] {
    try unwrap(try signer.operations.ask("request/list")["requests"]?.array).map { $0["batch"]?.string }
  }

  @Test("Requests that spend, delete, log in elsewhere or change the key's identity are never batched")
  func guardedKindsHaveNoBatch() throws {
    let kinds = [0, 3, 5, 62, 443, 7375, 8041, 9005, 9321, 10002, 10019, 10050, 12_345, 23194, 24133, 30078, 31990]
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "low")
    for kind in kinds { try signer.deliver(app, "sign_event", [Account.template(kind, "x", [["d", "a"]])]) }
    #expect(signer.core.engine.pendingRequests.count == kinds.count)
    #expect(try keys(signer).allSatisfy { $0 == nil })
    let text = DesktopText(
      engine: signer.core.engine, identities: signer.core.identities, sessionLock: signer.core.sessionLock, takesAnswers: true)
    for name in signer.core.engine.pendingRequests.dropFirst(2).map(\.name) {
      try signer.operations.ask("request/deny", ["id": .string(name)])
    }
    #expect(text.notices.count == 2)
    #expect(text.notices.allSatisfy { !$0.actions.contains { $0.key == DesktopText.approve } })
    signer.close()
  }

  @Test("A notice has the list's title: it knows the payment address that was signed before")
  func aNoticeHasTheListsTitle() throws {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "low")
    for (name, title) in [("a", "Change where payments to you go"), ("b", "Change your profile")] {
      try signer.deliver(app, "sign_event", [Account.template(0, #"{"name":"\#(name)","lud16":"x@y.z"}"#, [])])
      let waiting = try unwrap(try signer.operations.ask("request/list")["requests"]?[0])
      let notices = DesktopText(
        engine: signer.core.engine, identities: signer.core.identities, sessionLock: signer.core.sessionLock,
        takesAnswers: true, latest: signer.core.latestEvent
      ).notices
      #expect(notices.map(\.title) == ["tester: \(title)"] && waiting["title"]?.string == title)
      try signer.operations.ask("request/approve", ["id": waiting["id"] ?? ""])
      signer.settle()
    }
    signer.close()
  }

  @Test("A key succession has no button on the desktop; a note has one")
  func aSuccessionHasNoButton() throws {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "low")
    try signer.deliver(app, "sign_event", [Account.template(8041, "", [["p", String(repeating: "ab", count: 32)]])])
    try signer.deliver(app, "sign_event", [Account.template(1, "hello", [])])
    let notices = DesktopText(
      engine: signer.core.engine, identities: signer.core.identities, sessionLock: signer.core.sessionLock, takesAnswers: true
    ).notices
    #expect(notices.map { $0.actions.contains { $0.key == DesktopText.approve } } == [false, true])
    signer.close()
  }

  @Test("Approving zaps for others, or a login to two file servers, applies to that request only")
  func whatIsForOnceIsNotRemembered() throws {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "low")
    let somebody = String(repeating: "ab", count: 32)
    let upload = [["t", "upload"], ["x", somebody], ["expiration", "\(Clock.seconds + 600)"], ["server", "a.example"]]
    let requests: [(Int, [[String]])] = [
      (1, [["zap", somebody, "wss://a.example", "1"]]), (24242, upload + [["server", "b.example"]]), (1, []), (24242, upload),
    ]
    for (kind, tags) in requests { try signer.deliver(app, "sign_event", [Account.template(kind, "", tags)]) }
    let shown = try unwrap(try signer.operations.ask("request/list")["requests"]?.array)
    #expect(shown.map { ($0["offers"]?.array?.count ?? 0) > 1 } == [false, false, true, true])
    #expect(shown.map { $0["batch"]?.string == nil } == [true, true, false, false])
    for (index, request) in signer.core.engine.pendingRequests.enumerated() {
      let answer = { try signer.operations.ask("request/approve", ["id": .string(request.name), "remember": "1h"]) }
      if index < 2 { #expect(throws: OperationError.self) { try answer() } } else { _ = try answer() }
    }
    let rules = try #require(signer.core.engine.pairings.first).grant.rules
    #expect(rules.map(\.permission.description).sorted() == ["sign_event:1", "sign_event:24242@upload a.example"])
    signer.close()
  }

  @Test("Logins to different places never share a batch")
  func loginsAreBatchedByPlace() throws {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "low")
    func login(_ kind: Int, _ tags: [[String]]) throws {
      try signer.deliver(app, "sign_event", [Account.template(kind, "", tags)])
    }
    for (url, method) in [("https://a.example/x", "GET"), ("https://b.example/x", "GET"), ("https://a.example/x", "POST")] {
      try login(27235, [["u", url], ["method", method]])
    }
    try login(27235, [["u", "HTTPS://A.example:443/x"], ["method", "GET"]])
    try login(27235, [["u", "https://a.example/x"], ["u", "https://b.example/x"], ["method", "GET"]])
    for relay in ["wss://a.example", "wss://b.example", "wss://a.example/"] {
      try login(22242, [["relay", relay], ["challenge", "\(relay)"]])
    }
    let end = ["expiration", "\(Clock.seconds + 60)"]
    try login(24242, [["t", "upload"], ["x", "aa"], end])
    try login(24242, [["t", "upload"], ["x", "bb"], end])
    try login(24242, [["t", "list"], end])
    try login(24242, [["t", "delete"], ["x", "aa"], end])
    let found = try keys(signer)
    #expect(found.count == 12)
    #expect(found[0] != nil && found[0] == found[3], "one place, written in two ways")
    #expect(Set(found[0...2]).count == 3 && !found[0...2].contains(nil))
    #expect(found[4] == nil, "two places")
    #expect(found[5] == found[7] && found[5] != found[6])
    #expect(found[8] == found[9] && found[8] != found[10])
    #expect(found[11] == nil, "deleting is looked at alone")
    signer.close()
  }
}
