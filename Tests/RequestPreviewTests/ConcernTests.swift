import Curve
import DaemonSupport
import JSON
import Nostr
import RemoteSigning
import Testing

@testable import RequestPreview

/// The names by which programs know what makes a request serious, whatever the sentences say.
@Suite struct ConcernTests {
  private static let later = Account.receivedAt + 86_400

  private func concerns(
    _ kind: Int, _ content: String = "", _ tags: [[String]] = [], at time: Int64? = nil, before: EventTemplate? = nil
  ) throws -> [String] {
    let account = try Account(kind: kind, content, tags, at: time, before: before)
    return account.json["concerns"]?.array?.compactMap(\.string) ?? []
  }

  @Test("All concerns of a request are named, the one that the owner reads first") func allAreNamed() throws {
    let before = EventTemplate(kind: 0, tags: [], content: #"{"lud16":"a@b.c"}"#)
    let other = try KeyPair.random().publicKey.hex
    #expect(try concerns(1, "hello") == [])
    #expect(try concerns(0, #"{"lud16":"x@y.z"}"#, before: before) == ["payee"])
    #expect(try concerns(0, #"{"lud16":"x@y.z"}"#, at: Self.later, before: before) == ["dated-ahead", "payee"])
    #expect(try concerns(1, "hello", [["zap", other]], at: Self.later) == ["dated-ahead", "pays-others"])
    #expect(try concerns(10003, "", [["zap", other]]) == ["pays-others"])
    #expect(try concerns(10003) == ["emptied-list"])
    #expect(try concerns(3, "", [["p", other]]) == ["follows"])
    #expect(try concerns(5, "", [["e", other]]) == ["deletion"])
    let servers = [["server", "a.example"], ["server", "b.example"]]
    #expect(
      try concerns(24242, "", [["t", "delete"]] + servers) == ["file-deletion", "several-servers"], "the grave one is first")
  }

  @Test("A key that asks for its owner marks a note lower than a payment, and no two of its uses are answered together")
  func presenceIsNoConcernOfTheRequest() throws {
    let key = try KeyPair.random().publicKey
    func request(_ name: String, _ kind: Int) -> PendingRequest {
      PendingRequest(
        name: name, remoteSigner: key, client: key, identity: key, method: .signEvent,
        parameters: [Array(Account.template(kind, "hello", []).utf8)], kind: kind, rule: .presence, eventID: key.bytes,
        receivedAt: Account.receivedAt, replies: [])
    }
    let notes = [request("abcdef12", 1), request("abcdef13", 1)]
    #expect(RequestConcern.all(of: notes[0], needsPresence: true) == [.presence])
    #expect(RequestConcern.presence.risk == .careful)
    #expect(RequestConcern.all(of: request("abcdef14", 9321), needsPresence: true) == [.payment, .presence])
    #expect(Batches(notes).key(of: notes[0]) != nil)
    #expect(Batches(notes) { _ in true }.key(of: notes[0]) == nil)
  }

  @Test("A warning that programs act on names its subject; others name none") func warningsNameTheirSubjects() throws {
    let key = try KeyPair.random().publicKey
    func subjects(_ kind: Int, _ tags: [[String]]) throws -> [String?] {
      try Account(kind: kind, "", tags, identity: key).parts("warning").map { $0["about"]?.string }
    }
    #expect(try subjects(5, [["a", "0:\(key.hex):"]]) == ["lost-profile", nil])
    #expect(try subjects(5, [["k", "3"]]) == ["lost-follows", nil])
    #expect(try subjects(5, [["k", "10000"]]) == ["lost-list", nil])
    #expect(try subjects(3, [["p", key.hex]]) == ["no-earlier"])
    #expect(try subjects(24242, [["t", "delete"]]).contains("deletes-files"))
  }

  @Test("A deletion that names the profile by an id says so as one that names it by its address") func deletionByID() throws {
    let key = try KeyPair.random().publicKey
    let text = Account.template(5, "", [["e", String(repeating: "a", count: 64)]])
    let request = PendingRequest(
      name: "abcdef12", remoteSigner: key, client: key, identity: key, method: .signEvent, parameters: [Array(text.utf8)],
      kind: 5, rule: .deletesList, eventID: key.bytes, receivedAt: Account.receivedAt, replies: [])
    var facts = RequestFacts(method: .signEvent, kind: 5)
    facts.deletedLists = [EventKind.metadata]
    let described = RequestDescription(
      request, .init(pairing: nil, identityName: "main", facts: facts, before: nil, batches: Batches([request])))
    #expect(described.title == "Ask relays to delete your profile")
    #expect(described.parts.contains(.warning("Others would no longer see your profile.", about: .lostProfile)))
    #expect(described.remembering.offers == [.once])
  }

  @Test("The log keeps that others are paid, or that an event is dated ahead, and marks it as the request was marked")
  func theLogKeepsTheWeight() throws {
    let other = try KeyPair.random().publicKey.hex
    func heading(_ kind: Int, _ content: String, _ tags: [[String]], at time: Int64? = nil) throws -> RequestHeading? {
      RequestHeading(
        .signEvent, [Array(Account.template(kind, content, tags, time).utf8)], identity: try KeyPair.random().publicKey,
        receivedAt: Account.receivedAt
      ) { _ in nil }
    }
    #expect(try heading(1, "hello", [["zap", other]]) == .paysOthers)
    #expect(try heading(7, "+", [["zap", other]]) == .paysOthers)
    #expect(try heading(1, "hello", [], at: Self.later) == .datedAhead)
    #expect(try heading(0, #"{"lud16":"a@b.c"}"#, [], at: Self.later) == .payee)
    #expect(try heading(1, "hello", [], at: Account.receivedAt) == nil)
    func concern(_ heading: RequestHeading?, by rule: Rule? = nil) -> RequestConcern? {
      .afterwards(.signEvent, kind: 1, heading, by: rule)
    }
    #expect(concern(.paysOthers) == .paysOthers && concern(.datedAhead) == .ahead && concern(nil) == nil)
    #expect(concern(nil, by: .zapSplit) == .paysOthers && concern(nil, by: .datedAhead) == .ahead)
    #expect(concern(nil, by: .paymentAddress) == .payee)
    #expect(RequestTitle.words(.signEvent, kind: 1, .paysOthers) == RequestTitle.words(.signEvent, kind: 1, nil))
  }
}
