import Curve
import DaemonSupport
import JSON
import OwnerAPI
import RemoteSigning
import Testing

@testable import OwnerOperations
@testable import Signer

/// A request has one title: in the list, in the log when it is asked, answered and done, and wherever else the owner reads of it.
@Suite struct RequestTitleTests {
  private static let requests:
    [(method: String, parameters: @Sendable (_ identity: String) -> [String], title: String, risk: String?)] = [
      (
        "sign_event", { _ in [Account.template(0, #"{"name":"a","lud16":"x@y.z"}"#, [])] }, "Change where payments to you go",
        "grave"
      ),
      ("sign_event", { _ in [Account.template(0, #"{"name":"a"}"#, [])] }, "Change your profile", "grave"),
      ("sign_event", { _ in [Account.template(7, "+", [["e", "1"]])] }, "Like a post", nil),
      ("sign_event", { _ in [Account.template(7, "🔥", [["e", "1"]])] }, "Sign a reaction", nil),
      ("nip44_encrypt", { [$0, "hello"] }, "Encrypt something for yourself", nil),
      (
        "nip04_encrypt", { _ in ["79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798", "hello"] },
        "Encrypt a message (old method)", nil
      ),
    ]

  @Test(
    "A request keeps its title and its mark in the log, whether it was asked, approved or denied", arguments: requests.indices)
  func theLogHasTheListsTitle(index: Int) throws {
    let (method, parameters, title, risk) = Self.requests[index]
    for verb in ["approve", "deny"] {
      let signer = try Signer()
      let app = try signer.pairedApp(trust: "low")
      let identity = try unwrap(signer.core.engine.pairings.first).identity.hex
      try signer.deliver(app, method, parameters(identity))
      let waiting = try unwrap(try signer.operations.ask("request/list")["requests"]?[0])
      #expect(waiting["title"]?.string == title)
      let id = try unwrap(waiting["id"]?.string)
      try signer.operations.ask("request/\(verb)", ["id": .string(id)])
      signer.settle()
      let entries = try signer.operations.ask("log/show", ["request": .string(id)])["entries"]?.array ?? []
      #expect(entries.count == 3 && entries.allSatisfy { $0["text"]?.string == title }, "\(verb): \(entries)")
      #expect(entries.allSatisfy { $0["risk"]?.string == risk }, "\(verb): \(entries)")
      signer.close()
    }
  }

  @Test("Where a request logs in is behind the title that the log has, which holds no address")
  func aLoginsPlaceIsBehindItsTitle() throws {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "low")
    let login = Account.template(27235, "", [["u", "https://a.example/x"], ["method", "GET"]])
    try signer.deliver(app, "sign_event", [login])
    let waiting = try unwrap(try signer.operations.ask("request/list")["requests"]?[0])
    let logged = try unwrap(try signer.operations.ask("log/show", ["request": waiting["id"] ?? ""])["entries"]?[0])
    #expect(waiting["title"]?.string == "Log in to a website: a.example" && logged["text"]?.string == "Log in to a website")
    signer.close()
  }

  @Test("A profile or follow list that changes nothing is unchanged in the list and in the log, and has no mark in either")
  func theUnchangedHasNoMark() throws {
    let someone = "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
    let cases: [(kind: Int, content: String, tags: [[String]], changed: String, same: String)] = [
      (0, #"{"name":"a"}"#, [], "Change your profile", "Sign your profile again, unchanged"),
      (3, "", [["p", someone]], "Change who you follow", "Sign your follow list again, unchanged"),
    ]
    for (kind, content, tags, changed, same) in cases {
      let signer = try Signer()
      let app = try signer.pairedApp(trust: "low")
      // Two times: the very same request is answered as before.
      for (time, title, risk) in [(1_750_000_000, changed, "grave"), (1_750_000_001, same, nil)] as [(Int64, String, String?)] {
        try signer.deliver(app, "sign_event", [Account.template(kind, content, tags, time)])
        let waiting = try unwrap(try signer.operations.ask("request/list")["requests"]?[0])
        #expect(waiting["title"]?.string == title && waiting["risk"]?.string == risk ?? "usual", "\(waiting)")
        let id = try unwrap(waiting["id"]?.string)
        try signer.operations.ask("request/approve", ["id": .string(id)])
        signer.settle()
        let entries = try signer.operations.ask("log/show", ["request": .string(id)])["entries"]?.array ?? []
        #expect(
          entries.count == 3 && entries.allSatisfy { $0["text"]?.string == title && $0["risk"]?.string == risk }, "\(entries)")
      }
      signer.close()
    }
  }

  @Test("A profile that keeps the payment address signed before is an ordinary change, in the log too")
  func theSamePaymentAddressIsOrdinary() throws {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "low")
    for (name, title) in [("a", "Change where payments to you go"), ("b", "Change your profile")] {
      try signer.deliver(app, "sign_event", [Account.template(0, #"{"name":"\#(name)","lud16":"x@y.z"}"#, [])])
      let id = try unwrap(try signer.operations.ask("request/list")["requests"]?[0]?["id"]?.string)
      try signer.operations.ask("request/approve", ["id": .string(id)])
      signer.settle()
      let entries = try signer.operations.ask("log/show", ["request": .string(id)])["entries"]?.array ?? []
      #expect(!entries.isEmpty && entries.allSatisfy { $0["text"]?.string == title }, "\(entries)")
    }
    signer.close()
  }
}
