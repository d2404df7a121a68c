import AuditLog
import Curve
import DaemonSupport
import Encodings
import Identities
import JSON
import Nostr
import OwnerAPI
import Testing
import Vault

@testable import EntrustedShares
@testable import Guardians
@testable import OwnerOperations
@testable import Signer

/// Somebody sends many requests or notices, or old ones again, so that an owner misses the one that matters.
@Suite struct GuardianFloodTests {
  typealias Scene = GuardianBookTests.Scene

  private func book(_ scene: Scene) -> GuardianBook { scene.owner.operations.services.guardians }

  private func told(_ scene: Scene) throws -> [ShareRequest] { try book(scene).requests(.owner) }

  /// The owner's book takes a guardian's notice.
  private func tell(
    _ scene: Scene, _ request: Bytes32, allowed isAllowed: Bool = false, from guardian: PublicKey? = nil, sent: Int64? = nil,
    standing: ShareRequest.Standing = .code
  ) throws {
    let notice = GuardianNotice(
      request: request, kit: scene.note.kit, by: scene.stranger, until: 1, note: "", standing: standing, isAllowed: isAllowed)
    try scene.deliver(
      GuardianEnvelope(message: .asked(notice), from: guardian ?? scene.note.other, to: scene.note.identity), sent: sent)
  }

  private func end(_ scene: Scene, _ request: Bytes32, sent: Int64) throws {
    let no = GuardianMessage.no(request: request, why: .displaced)
    try scene.deliver(GuardianEnvelope(message: no, from: scene.note.other, to: scene.note.identity), sent: sent)
  }

  // MARK: a request that was displaced

  @Test("A displaced request cannot be sent again after the owner cancelled the request that displaced it")
  func aDisplacedRequestIsNotAskedAgain() throws {
    let scene = try Scene()
    let (first, second) = (scene.id(), scene.id())
    try scene.ask(id: first, sent: scene.now - 10, code: try scene.code())
    try scene.ask(id: second, sent: scene.now - 5, code: try scene.code())
    let name = try unwrap(told(scene).first(where: \.isOpen)).name
    for letter in try book(scene).cancel(name) { try scene.deliver(letter) }
    scene.now += 10
    for code in [try scene.code(), nil] { try scene.ask(id: first, sent: scene.now - 20, code: code) }
    #expect(try scene.requests().filter(\.isOpen).isEmpty)
    scene.close()
  }

  @Test("A guardian remembers a limited number of displaced requests")
  func displacedRequestsAreBounded() throws {
    let scene = try Scene()
    for _ in 0..<GuardianBook.mostDisplaced + 10 {
      try scene.ask(code: try scene.code())
      scene.now += 1
    }
    let displaced = try scene.requests().filter { $0.state == .displaced }
    #expect(displaced.count == GuardianBook.mostDisplaced)
    #expect(displaced.map(\.sent).max() == scene.now - 2)
    scene.close()
  }

  @Test("A request that is asked again after its end is open again at the owner, who can cancel it", arguments: [false, true])
  func aRequestThatIsAskedAgainIsOpen(isAllowed: Bool) throws {
    let scene = try Scene()
    let (request, began) = (scene.id(), scene.now)
    scene.now += 100
    try tell(scene, request, sent: began)
    try end(scene, request, sent: began + 10)
    #expect(try told(scene).map(\.state) == [.displaced])
    try tell(scene, request, allowed: isAllowed, sent: began + 20)
    // What the relays send again changes nothing.
    try end(scene, request, sent: began + 10)
    try tell(scene, request, sent: began)
    #expect(try told(scene).map(\.state) == [isAllowed ? .approved : .waiting])
    #expect(try book(scene).cancel(try unwrap(told(scene).first).name).count == 1)
    scene.close()
  }

  @Test("A notice that was written before a request ended does not open it again")
  func anOlderNoticeOpensNothing() throws {
    let scene = try Scene()
    let (request, began) = (scene.id(), scene.now)
    scene.now += 100
    try tell(scene, request, sent: began)
    try end(scene, request, sent: began + 20)
    for isAllowed in [false, true] { try tell(scene, request, allowed: isAllowed, sent: began + 10) }
    #expect(try told(scene).map(\.state) == [.displaced])
    scene.close()
  }

  @Test("An owner whose cancellation was lost sees the guardian's later approval")
  func aLostCancellationIsNoticed() throws {
    let scene = try Scene()
    try scene.ask(code: try scene.code())
    let name = try unwrap(told(scene).first).name
    _ = try book(scene).cancel(name)
    scene.now += 10
    for letter in try scene.guardian.operations.services.guardians.release(name, at: scene.moment()) { try scene.deliver(letter) }
    #expect(try told(scene).map(\.state) == [.approved])
    scene.close()
  }

  @Test("A guardian repeats notices of open requests only, and none that the owner was not told of")
  func openNoticesAreRepeated() throws {
    let scene = try Scene()
    let guardian = scene.guardian.operations.services.guardians
    try scene.ask(by: scene.somebody())
    #expect(try guardian.openNotices().isEmpty)
    try scene.ask(code: try scene.code())
    scene.now += 10
    let repeated = try guardian.openNotices()
    #expect(try repeated.map(\.to) == [scene.owner.identity.publicKey])
    for envelope in repeated { try scene.deliver(envelope) }
    #expect(try told(scene).map(\.state) == [.waiting])
    for letter in try book(scene).cancel(try unwrap(told(scene).first).name) { try scene.deliver(letter) }
    #expect(try guardian.openNotices().isEmpty)
    scene.close()
  }

  // MARK: floods

  @Test("A guardian who reports many requests causes a limited number of log entries, also when relays send them again")
  func aGuardianFillsNoLog() throws {
    let scene = try Scene()
    let requests = (0..<200).map { (id: scene.id(), sent: scene.now + Int64($0)) }
    scene.now += 400
    func entries() throws -> [String?] { try scene.owner.entries(.guardianAsked).map { $0.rule?.description } }
    for one in requests { try tell(scene, one.id, sent: one.sent) }
    let all = [String?](repeating: nil, count: AskedEntries.perHour) + [AskedEntries.further.description]
    #expect(try entries() == all)
    let known = try told(scene)
    #expect(known.count == GuardianBook.mostNotices)
    scene.now += 3600
    for one in requests { try tell(scene, one.id, sent: one.sent) }
    #expect(try told(scene) == known && entries() == all)
    // An approval has an entry of its own.
    try tell(scene, requests[0].id, allowed: true, sent: scene.now)
    #expect(try told(scene).contains { $0.state == .approved } && entries() == all + [nil])
    scene.close()
  }

  @Test("A flood of notices about requests that have ended leaves an open one in the owner's list")
  func endedNoticesMakeRoomFirst() throws {
    let scene = try Scene()
    let genuine = scene.id()
    try tell(scene, genuine)
    for _ in 0..<GuardianBook.mostNotices * 2 {
      scene.now += 1
      let decoy = scene.id()
      try tell(scene, decoy)
      try end(scene, decoy, sent: scene.now)
    }
    #expect(try told(scene).filter(\.isOpen).map(\.request) == [genuine])
    scene.close()
  }

  @Test("Strangers who ask for a share many times cause a limited number of log entries at its guardian")
  func strangersFillNoLog() throws {
    let scene = try Scene()
    for _ in 0..<60 {
      try scene.ask(by: scene.somebody())
      scene.now += 1
    }
    try scene.ask(code: try scene.code())
    let entries = try scene.guardian.entries(.guardianAsked)
    #expect(entries.count == AskedEntries.perHour + 2)
    #expect(entries.count { $0.rule == AskedEntries.further } == 1)
    #expect(entries.last?.client == scene.stranger && entries.last?.rule == nil)
    scene.close()
  }

  // MARK: who is told

  @Test("The owner is told of a new request, of an approval, and of a request that is open again")
  func whatIsNews() throws {
    func request(_ state: ShareRequest.State) -> ShareRequest {
      ShareRequest(
        part: .owner, request: Bytes32(), identity: PublicKey(Bytes32()), other: PublicKey(Bytes32()), third: nil, kit: "0d3f",
        note: "", at: 0, until: 0, state: state, relays: [])
    }
    #expect(request(.waiting).isNews(since: nil) && request(.approved).isNews(since: nil))
    #expect(request(.approved).isNews(since: request(.waiting)) && request(.waiting).isNews(since: request(.displaced)))
    #expect(!request(.waiting).isNews(since: request(.waiting)) && !request(.approved).isNews(since: request(.approved)))
    #expect(!request(.displaced).isNews(since: request(.waiting)))
  }

  @Test("Many requests do not use up the notifications of an approval, or of another owner's requests")
  func eachSourceHasItsOwnLimit() throws {
    let scene = try Scene()
    func request(_ part: ShareRequest.Part, _ state: ShareRequest.State = .waiting, owner: PublicKey? = nil) -> ShareRequest {
      ShareRequest(
        part: part, request: Bytes32(), identity: scene.stranger, other: scene.stranger, third: owner ?? scene.stranger,
        kit: "0d3f", note: "", at: 0, until: 0, state: state, relays: [], standing: .code)
    }
    var limits = SourceLimits()
    func isTold(of request: ShareRequest, now: Int64 = 0) -> Bool { limits.take(request, 3, now: now) }
    for part in [ShareRequest.Part.owner, .guardian] {
      for _ in 0..<3 { #expect(isTold(of: request(part))) }
      #expect(!isTold(of: request(part), now: 3599))
    }
    #expect(isTold(of: request(.owner, .approved)))
    #expect(isTold(of: request(.guardian, owner: scene.somebody())))
    #expect(isTold(of: request(.owner), now: 3600))
    scene.close()
  }

  // MARK: the list

  @Test("Guardians take turns in the owner's list, and approved requests come first")
  func guardiansTakeTurns() throws {
    let scene = try Scene()
    let honest = scene.somebody()
    let note = EntrustedShare(
      side: .given, other: honest, identity: scene.note.identity, kit: scene.note.kit, group: 0, member: 1, delay: 100,
      at: scene.now)
    _ = try book(scene).add(note, share: scene.shares[1])
    for _ in 0..<20 { try tell(scene, scene.id(), standing: .owner) }
    scene.now += 10
    try tell(scene, scene.id(), from: honest, standing: .unknown)
    func guardians() throws -> [String?] {
      try unwrap(scene.owner.operations.ask("guardian/requests")["requests"]?.array).map { $0["guardian"]?.string }
    }
    #expect(try guardians().firstIndex(of: honest.npub) == 1)
    try tell(scene, scene.id(), allowed: true, from: honest, standing: .unknown)
    #expect(try guardians().first == honest.npub)
    scene.close()
  }
}
