import Curve
import DaemonSupport
import Encodings
import Identities
import Mnemonics
import OwnerAPI
import SecretMemory
import TestSupport
import Testing
import Vault

@testable import EntrustedShares
@testable import Guardians
@testable import OwnerOperations
@testable import Signer

/// Owner, guardian and strangers by their books alone, with a clock that the test sets.
@Suite struct GuardianBookTests {
  final class Scene {
    let owner: Signer
    let guardian: Signer
    let shares: [Share]
    let note: EntrustedShare
    let stranger = PublicKey(Bytes32 { $0.initializeMemory(as: UInt8.self, repeating: 7) })
    var now: Int64
    /// Which start of the machine it is.
    var start = [UInt8](repeating: 1, count: Moment.startLength)
    var next: UInt32 = 1

    init(delay: Int64 = 100, listening: Bool = true, now: Int64 = 1_760_000_000) throws {
      self.now = now
      (owner, guardian) = (try Signer(), try Signer())
      shares = try SharedSecret.split(try secret([UInt8](0..<16)), into: try SharePlan(threshold: 2, count: 3))[0]
      note = EntrustedShare(
        side: .given, other: try guardian.identity.publicKey, identity: try owner.identity.publicKey, kit: shares[0].numbers.kit,
        group: 0, member: 0, delay: delay, at: 1_760_000_000)
      let me = try guardian.identity.publicKey
      if listening { try guardian.operations.services.guardians.setListening(true, me, of: [me]) }
      try deliver(try owner.operations.services.guardians.add(note, share: shares[0]))
    }

    /// So many seconds from now, by a machine whose clocks agree.
    /// - Parameter ahead: seconds by which the clock on the wall is set ahead.
    func moment(_ later: Int64 = 0, ahead: Int64 = 0) -> Moment {
      Moment(wall: now + later + ahead, boot: (now - 1_759_999_000 + later) * 1000, start: start)
    }

    func id() -> Bytes32 {
      next += 1
      return Bytes32 { $0.storeBytes(of: next.bigEndian, as: UInt32.self) }
    }

    /// A key that is nobody's here.
    func somebody() -> PublicKey { PublicKey(id()) }

    /// To whoever of both it is for, and what he answers back again.
    func deliver(_ letter: GuardianEnvelope, id: Bytes32? = nil, sent: Int64? = nil) throws {
      for one in [owner, guardian] where try one.identity.publicKey == letter.to {
        let answers = try one.operations.services.guardians.take(
          letter.message, id: id ?? self.id(), from: letter.from, to: letter.to, sent: sent ?? now, at: moment())
        for answer in answers { try deliver(answer) }
      }
    }

    func ask(
      by asker: PublicKey? = nil, id: Bytes32? = nil, sent: Int64? = nil, kit: String? = nil, code: RequestCode? = nil
    ) throws {
      let me = try guardian.identity.publicKey
      let proof = code?.proof(kit: note.kit, guardian: me, asker: asker ?? stranger)
      try deliver(
        GuardianEnvelope(message: .ask(kit: kit ?? note.kit, note: "", proof: proof), from: asker ?? stranger, to: me), id: id,
        sent: sent)
    }

    /// The owner's code, as it stands on paper.
    func code() throws -> RequestCode { try unwrap(owner.operations.services.guardians.code(note.kit)) }

    func requests() throws -> [ShareRequest] { try guardian.operations.services.guardians.requests(.guardian) }

    func close() {
      owner.close()
      guardian.close()
    }
  }

  @Test("A share is kept, and its owner is told") func aShareIsKeptAndItsOwnerIsTold() throws {
    let scene = try Scene()
    #expect(try scene.guardian.operations.services.guardians.held().map(\.kit) == [scene.note.kit])
    #expect(try scene.owner.operations.services.guardians.guardians().map(\.confirmed) == [scene.now])
    scene.close()
  }

  @Test("A stranger's share with the same kit number does not intercept requests for the owner's share")
  func aStrangersShareOfTheSameNumberDoesNotCatchTheOwnersRequests() throws {
    let scene = try Scene()
    // Another kit of that number, of a stranger who has heard it: a request names the number alone.
    var forged: Share?
    let plan = try SharePlan(threshold: 2, count: 3)
    let kit = scene.shares[0].numbers.identifier
    forged = try SharedSecret.split(try secret([UInt8](16..<32)), into: plan) { buffer in
      if buffer.count == 2 {
        buffer.storeBytes(of: kit, as: UInt16.self)
      } else {
        for index in buffer.indices { buffer[index] = UInt8(truncatingIfNeeded: index) }
      }
    }[0][1]
    let words = try unwrap(forged).words().withBytes { String(decoding: $0, as: UTF8.self) }
    try scene.deliver(
      GuardianEnvelope(
        message: .keep(share: words, delay: 1, code: nil), from: scene.stranger, to: try scene.guardian.identity.publicKey))
    #expect(try scene.guardian.operations.services.guardians.held().map(\.other) == [try scene.owner.identity.publicKey])
    try scene.ask()
    #expect(try scene.requests().map(\.third) == [try scene.owner.identity.publicKey])
    scene.close()
  }

  @Test("No share is kept for an identity that does not accept shares") func nothingIsKeptForWhoIsNotListenedTo() throws {
    let scene = try Scene(listening: false)
    #expect(try scene.guardian.operations.services.guardians.held().isEmpty)
    #expect(try scene.owner.operations.services.guardians.guardians().map(\.confirmed) == [nil])
    scene.close()
  }

  @Test("A share is given only after the guardian's approval and the whole wait, and only once")
  func nothingIsDueBeforeTheTimeNorWithoutAYes() throws {
    let scene = try Scene(delay: 100)
    try scene.ask()
    let book = scene.guardian.operations.services.guardians
    #expect(try book.due(at: scene.moment(1000)).isEmpty)
    _ = try book.release(try unwrap(scene.requests().first).name, at: scene.moment())
    #expect(try book.due(at: scene.moment(99)).isEmpty)
    let due = try book.due(at: scene.moment(100))
    #expect(due.count == 1 && due[0].envelopes.map(\.to) == [scene.stranger])
    try book.gave(due[0].request)
    #expect(try book.due(at: scene.moment(200)).isEmpty)
    scene.close()
  }

  @Test("Only the owner can cancel a request for a share, and the cancellation holds")
  func theOwnersNoHoldsAndNobodyElses() throws {
    let scene = try Scene()
    let request = scene.id()
    try scene.ask(id: request, code: try scene.code())
    let me = try scene.guardian.identity.publicKey
    try scene.deliver(GuardianEnvelope(message: .cancel(request: request), from: scene.stranger, to: me))
    #expect(try scene.requests().map(\.state) == [.waiting])
    let notice = try unwrap(scene.owner.operations.services.guardians.requests(.owner).first)
    #expect(notice.third == scene.stranger)
    for letter in try scene.owner.operations.services.guardians.cancel(notice.name) { try scene.deliver(letter) }
    #expect(try scene.requests().map(\.state) == [.cancelled])
    #expect(try scene.owner.operations.services.guardians.requests(.owner).map(\.state) == [.cancelled])
    #expect(
      failure { try scene.guardian.operations.services.guardians.release(notice.name, at: scene.moment()) }?.exit == .failed)
    #expect(try scene.guardian.operations.services.guardians.due(at: scene.moment(1000)).isEmpty)
    scene.close()
  }

  @Test("A copied, old, future or unknown request for a share is ignored")
  func aCopyOfARequestAndOneOfLongAgoAreNotRead() throws {
    let scene = try Scene()
    let request = scene.id()
    try scene.ask(id: request)
    _ = try scene.guardian.operations.services.guardians.refuse(try unwrap(scene.requests().first).name)
    try scene.ask(id: request)
    try scene.ask(sent: scene.now - GuardianBook.oldest - 1)
    try scene.ask(sent: scene.now + GuardianBook.ahead + 1)
    try scene.ask(kit: "ffff")
    #expect(try scene.requests().map(\.state) == [.refused])
    // Kept for longer than a letter is read, so that no copy is ever new.
    try scene.guardian.operations.services.guardians.forgetOld(now: scene.now + GuardianBook.oldest)
    #expect(try scene.requests().count == 1)
    scene.close()
  }

  @Test("A guardian keeps only a limited number of shares from one stranger") func sharesOfStrangersAreBounded() throws {
    let scene = try Scene()
    let me = try scene.guardian.identity.publicKey
    for _ in 0..<GuardianBook.mostHeldOfOne + 3 {
      let share = try SharedSecret.split(try secret([UInt8](0..<16)), into: try SharePlan(threshold: 2, count: 2))[0][0]
      try scene.deliver(
        GuardianEnvelope(message: .keep(share: try share.words().text(), delay: 5, code: nil), from: scene.stranger, to: me))
    }
    #expect(try scene.guardian.operations.services.guardians.held().count == GuardianBook.mostHeldOfOne + 1)
    scene.close()
  }

  @Test("The wait before a share is given cannot be shortened afterwards") func nobodyShortensTheWaitAfterwards() throws {
    let scene = try Scene(delay: 1000)
    let me = try scene.guardian.identity.publicKey
    try scene.deliver(
      GuardianEnvelope(
        message: .keep(share: try scene.shares[0].words().text(), delay: 1, code: nil), from: try scene.owner.identity.publicKey,
        to: me))
    #expect(try scene.guardian.operations.services.guardians.held().map(\.delay) == [1000])
    scene.close()
  }

  @Test("A notice about a request is accepted from a guardian only") func aNoticeIsTakenFromAGuardianOnly() throws {
    let scene = try Scene()
    try scene.deliver(
      GuardianEnvelope(
        message: .asked(
          GuardianNotice(
            request: scene.id(), kit: scene.note.kit, by: scene.stranger, until: 1, note: "", standing: .owner, isAllowed: false)),
        from: scene.stranger, to: try scene.owner.identity.publicKey))
    #expect(try scene.owner.operations.services.guardians.requests(.owner).isEmpty)
    scene.close()
  }

  @Test("A share is accepted only from the guardian it was requested from")
  func aShareIsTakenFromTheGuardianWhoWasAsked() throws {
    let scene = try Scene()
    let (book, me) = (scene.owner.operations.services.guardians, try scene.owner.identity.publicKey)
    let asked = try [scene.note.other, scene.somebody()].map { guardian in
      let request = ShareRequest(
        part: .asker, request: scene.id(), identity: me, other: guardian, third: nil, kit: scene.note.kit, note: "",
        at: scene.now, until: 0, state: .waiting, relays: [])
      try book.asked(request)
      return request
    }
    func take(_ message: GuardianMessage, from author: PublicKey) throws {
      _ = try book.take(message, id: scene.id(), from: author, to: me, sent: scene.now, at: scene.moment())
    }
    let words = try scene.shares[1].words().text()
    // Another guardian of the same kit, who was asked, too; a stranger; the owner's own key.
    for author in [asked[1].other, scene.stranger, me] {
      try take(.give(request: asked[0].request, share: words), from: author)
      try take(.no(request: asked[0].request, why: .refused), from: author)
      try take(.waiting(request: asked[0].request, until: 7), from: author)
    }
    #expect(try book.sharesReceived(kit: nil).isEmpty)
    #expect(try book.requests(.asker).allSatisfy { $0.state == .waiting && $0.until == 0 && $0.shares == 0 })
    // A share of another kit is not what he was asked for.
    let other = try SharedSecret.split(try secret([UInt8](0..<16)), into: try SharePlan(threshold: 2, count: 2))[0][0]
    if other.numbers.kit != scene.note.kit {
      try take(.give(request: asked[0].request, share: try other.words().text()), from: asked[0].other)
    }
    #expect(try book.sharesReceived(kit: nil).isEmpty)
    try take(.give(request: asked[0].request, share: words), from: asked[0].other)
    #expect(try book.sharesReceived(kit: nil, from: asked[0].other).count == 1)
    scene.close()
  }

  @Test("A share that nobody asked for is not accepted") func aSharesThatWasNotAskedForIsNotTaken() throws {
    let scene = try Scene()
    let give = GuardianMessage.give(request: scene.id(), share: try scene.shares[1].words().text())
    try scene.deliver(GuardianEnvelope(message: give, from: scene.stranger, to: try scene.owner.identity.publicKey))
    #expect(try scene.owner.operations.services.guardians.sharesReceived(kit: nil).isEmpty)
    scene.close()
  }
}
