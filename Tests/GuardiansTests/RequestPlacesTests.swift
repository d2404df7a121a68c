import Curve
import DaemonSupport
import Encodings
import Identities
import Mnemonics
import TestSupport
import Testing
import Vault

@testable import EntrustedShares
@testable import Guardians
@testable import OwnerOperations
@testable import Signer

/// Who finds a place when many ask, and what an owner is told of it.
@Suite struct RequestPlacesTests {
  private typealias Scene = GuardianBookTests.Scene

  @Test("A flood of strangers' requests blocks neither the owner nor a requester with the code")
  func aFloodOfStrangersKeepsOutNeitherTheOwnerNorWhoeverKnowsTheCode() throws {
    let scene = try Scene()
    for _ in 0..<40 { try scene.ask(by: scene.somebody()) }
    #expect(try scene.requests().count == RequestPlaces.ofEach)
    let (newcomer, owner) = (scene.somebody(), try scene.owner.identity.publicKey)
    try scene.ask(by: newcomer, code: try scene.code())
    try scene.ask(by: owner)
    for _ in 0..<40 { try scene.ask(by: scene.somebody()) }
    let standings = Dictionary(grouping: try scene.requests().filter { $0.isOpen }, by: \.standing).mapValues { $0.map(\.other) }
    #expect(standings[.code] == [newcomer] && standings[.owner] == [owner])
    #expect(standings[.unknown]?.count == RequestPlaces.ofEach)
    scene.close()
  }

  @Test("A guessed proof, or one made for somebody else, does not prove the requester")
  func aGuessedProofOrOneOfSomebodyElseShowsNothing() throws {
    let scene = try Scene()
    let me = try scene.guardian.identity.publicKey
    var random = SystemRandomNumberGenerator()
    let proofs = [
      RequestCode(using: &random).proof(kit: scene.note.kit, guardian: me, asker: scene.stranger),
      try scene.code().proof(kit: scene.note.kit, guardian: me, asker: scene.somebody()), Bytes32(),
    ]
    for proof in proofs {
      try scene.deliver(
        GuardianEnvelope(message: .ask(kit: scene.note.kit, note: "", proof: proof), from: scene.stranger, to: me))
    }
    #expect(try scene.requests().map(\.standing) == [.unknown])
    scene.close()
  }

  @Test("Each requester has one place in the guardian's list, and the newest requesters are shown")
  func aSenderHasOnePlaceAndTheNewestHaveTheRest() throws {
    let scene = try Scene()
    for _ in 0..<10 {
      try scene.ask()
      scene.now += 1
    }
    #expect(try scene.requests().map(\.sent) == [scene.now - 1])
    // Who stands on the telephone is seen now, however many asked before.
    let people = (0..<6).map { _ in scene.somebody() }
    for one in people {
      try scene.ask(by: one)
      scene.now += 1
    }
    #expect(try scene.requests().map(\.other) == people.suffix(RequestPlaces.ofEach))
    scene.close()
  }

  @Test("A displaced request does not return when a relay sends it again")
  func whatWasPushedOutDoesNotComeBackWhenTheRelaySendsItAgain() throws {
    let scene = try Scene()
    let asked = (0..<8).map { (id: scene.id(), by: scene.somebody(), sent: scene.now + Int64($0)) }
    scene.now += 10
    for one in asked { try scene.ask(by: one.by, id: one.id, sent: one.sent) }
    let before = try scene.requests()
    var generator = Repeatable.announced()
    for one in asked.shuffled(using: &generator) { try scene.ask(by: one.by, id: one.id, sent: one.sent) }
    #expect(try scene.requests() == before)
    scene.close()
  }

  @Test("An approved request is not displaced") func whatTheGuardianSaidYesToIsNotPushedOut() throws {
    let scene = try Scene()
    let caller = scene.somebody()
    try scene.ask(by: caller)
    _ = try scene.guardian.operations.services.guardians.release(try unwrap(scene.requests().first).name, at: scene.moment())
    for _ in 0..<40 { try scene.ask(by: scene.somebody()) }
    #expect(try scene.requests().contains { $0.other == caller && $0.state == .approved })
    #expect(try scene.guardian.operations.services.guardians.due(at: scene.moment(1000)).map(\.request.other) == [caller])
    scene.close()
  }

  @Test("An owner who was not told of a request has the whole wait from the guardian's approval on")
  func anOwnerWhoWasNotToldHasTheWholeTimeFromTheYesOn() throws {
    let scene = try Scene(delay: 100)
    let thief = scene.somebody()
    try scene.ask(by: thief)
    #expect(try scene.owner.operations.services.guardians.requests(.owner).isEmpty)
    // As long as the wait after the request, but the owner hears of it only now.
    scene.now += 500
    let request = try unwrap(scene.requests().first { $0.other == thief })
    for letter in try scene.guardian.operations.services.guardians.release(request.name, at: scene.moment()) {
      try scene.deliver(letter)
    }
    #expect(try scene.guardian.operations.services.guardians.due(at: scene.moment(99)).isEmpty)
    let notice = try unwrap(scene.owner.operations.services.guardians.requests(.owner).first { $0.third == thief })
    #expect(notice.state == .approved && notice.until == scene.now + 100)
    for letter in try scene.owner.operations.services.guardians.cancel(notice.name) { try scene.deliver(letter) }
    #expect(try scene.guardian.operations.services.guardians.due(at: scene.moment(1000)).isEmpty)
    scene.close()
  }

  @Test("Notices of approved requests stay in the owner's list when many others arrive")
  func anOwnersNoticesOfAllowedRequestsAreNotPushedOutByOthers() throws {
    let scene = try Scene()
    let (me, guardian) = (try scene.owner.identity.publicKey, try scene.guardian.identity.publicKey)
    func tell(_ isAllowed: Bool) throws {
      let notice = GuardianNotice(
        request: scene.id(), kit: scene.note.kit, by: scene.somebody(), until: 1, note: "", standing: .unknown,
        isAllowed: isAllowed)
      try scene.deliver(GuardianEnvelope(message: .asked(notice), from: guardian, to: me))
    }
    try tell(true)
    for _ in 0..<GuardianBook.mostNotices + 10 { try tell(false) }
    let notices = try scene.owner.operations.services.guardians.requests(.owner)
    #expect(notices.count == GuardianBook.mostNotices && notices.contains { $0.state == .approved })
    scene.close()
  }

  @Test("Only the owner can set the request code, and an older code does not come back")
  func onlyTheOwnerSetsTheCodeAndNoOlderOneComesBack() throws {
    let scene = try Scene()
    let (me, owner) = (try scene.guardian.identity.publicKey, try scene.owner.identity.publicKey)
    let first = try scene.code()
    func held() throws -> RequestCode? { try scene.guardian.operations.services.guardians.held().first?.code }
    #expect(try held() == first)
    scene.now += 10
    let (second, letters) = try unwrap(scene.owner.operations.services.guardians.tellCode(scene.note.kit, isNew: true))
    for letter in letters { try scene.deliver(letter) }
    #expect(try second != first && held() == second)
    try scene.deliver(GuardianEnvelope(message: .code(kit: scene.note.kit, first), from: owner, to: me), sent: scene.now - 5)
    scene.now += 10
    try scene.deliver(GuardianEnvelope(message: .code(kit: scene.note.kit, first), from: scene.stranger, to: me))
    let words = try scene.shares[0].words().text()
    try scene.deliver(
      GuardianEnvelope(message: .keep(share: words, delay: 100, code: first), from: owner, to: me), sent: scene.now - 15)
    #expect(try held() == second)
    #expect(try scene.owner.operations.services.guardians.tellCode("0000", isNew: false) == nil)
    scene.close()
  }

  @Test("A share handed over by an earlier version gets a request code later")
  func aShareHandedOverBeforeThereWereCodesGetsOneLater() throws {
    let scene = try Scene()
    let (me, owner) = (try scene.guardian.identity.publicKey, try scene.owner.identity.publicKey)
    // As an earlier version noted it.
    let id = try unwrap(scene.guardian.operations.services.guardians.held().first).id
    let old =
      #"{"owner":"\#(owner.hex)","identity":"\#(me.hex)","kit":"\#(scene.note.kit)","group":0,"member":0,"delay":100,"since":5}"#
    try scene.guardian.core.vault.transaction([.put(.guardian, id, Array(old.utf8))])
    #expect(try scene.guardian.operations.services.guardians.held().map(\.code) == [nil])
    try scene.ask(by: scene.somebody(), code: try scene.code())
    #expect(try scene.requests().map(\.standing) == [.unknown])
    for letter in try unwrap(scene.owner.operations.services.guardians.tellCode(scene.note.kit, isNew: false)).1 {
      try scene.deliver(letter)
    }
    try scene.ask(by: scene.somebody(), code: try scene.code())
    #expect(try Set(scene.requests().map(\.standing)) == [.unknown, .code])
    scene.close()
  }

  @Test("Envelopes are opened in a limited burst and then at a steady rate") func lettersAreOpenedAtAPace() {
    var pace = EnvelopeLimiter()
    var opened = 0
    for _ in 0..<5000 where pace.take(at: 1_000_000) { opened += 1 }
    #expect(opened == EnvelopeLimiter.most)
    #expect(!pace.take(at: 1_000_010) && pace.take(at: 1_000_060))
    var later = 0
    for step in 0..<10_000 where pace.take(at: 1_000_060 + Int64(step)) { later += 1 }
    #expect((150...250).contains(later))
  }

  @Test("Receiving guardian messages can be turned on for one identity and not the others")
  func oneIdentityListensAndNotTheOthers() throws {
    let signer = try Signer()
    let book = signer.operations.services.guardians
    let keys = (1...3).map { number in PublicKey(Bytes32 { $0[0] = UInt8(number) }) }
    #expect(book.listeners(keys).isEmpty && book.correspondents(keys).isEmpty)
    try book.setListening(true, keys[1], of: keys)
    #expect(book.listeners(keys) == [keys[1]] && Set(book.correspondents(keys).keys) == [keys[1]])
    try book.setListening(true, keys[0], of: keys)
    try book.setListening(false, keys[1], of: keys)
    #expect(book.listeners(keys) == [keys[0]])
    try book.setListening(false, nil, of: keys)
    #expect(!book.isListening)
    // From before there was a choice.
    try signer.core.vault.transaction([.put(.setting, Array("guardian.listen".utf8), [1])])
    #expect(book.listeners(keys) == keys)
    try book.setListening(false, keys[2], of: keys)
    #expect(book.listeners(keys) == Array(keys.prefix(2)))
    signer.close()
  }
}
