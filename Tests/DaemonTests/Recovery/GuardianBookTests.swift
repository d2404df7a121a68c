import Curve
import Encodings
import Mnemonics
import SecretMemory
import TestSupport
import Testing
import Vault

@testable import Daemon

/// Owner, guardian and strangers by their books alone, with a clock that the test sets.
@Suite struct GuardianBookTests {
  private final class Scene {
    let owner: Signer
    let guardian: Signer
    let shares: [Share]
    let note: GuardianNote
    let stranger = PublicKey(Bytes32 { $0.initializeMemory(as: UInt8.self, repeating: 7) })
    var now: Int64 = 1_760_000_000
    var next: UInt8 = 1

    init(delay: Int64 = 100, listening: Bool = true) throws {
      (owner, guardian) = (try Signer(), try Signer())
      shares = try SharedSecret.split(try secret([UInt8](0..<16)), into: try SharePlan(threshold: 2, count: 3))[0]
      note = GuardianNote(
        guardian: try guardian.identity.publicKey, identity: try owner.identity.publicKey, kit: shares[0].numbers.kit, group: 0,
        member: 0, delay: delay, relays: [], sent: 1_760_000_000, kept: nil)
      if listening { try guardian.core.guardians.setListening(true) }
      try deliver(try owner.core.guardians.add(note, share: shares[0]))
    }

    func id() -> Bytes32 {
      next += 1
      return Bytes32 { $0.initializeMemory(as: UInt8.self, repeating: next) }
    }

    /// To whoever of both it is for, and what he answers back again.
    func deliver(_ letter: GuardianLetter, id: Bytes32? = nil, sent: Int64? = nil) throws {
      for one in [owner, guardian] where try one.identity.publicKey == letter.to {
        let answers = try one.core.guardians.take(
          letter.message, id: id ?? self.id(), from: letter.from, to: letter.to, sent: sent ?? now, now: now)
        for answer in answers { try deliver(answer) }
      }
    }

    func ask(by asker: PublicKey? = nil, id: Bytes32? = nil, sent: Int64? = nil, kit: String? = nil) throws {
      try deliver(
        GuardianLetter(
          message: .ask(kit: kit ?? note.kit, note: ""), from: asker ?? stranger, to: try guardian.identity.publicKey), id: id,
        sent: sent)
    }

    func requests() throws -> [ShareRequest] { try guardian.core.guardians.requests(.guardian) }

    func close() {
      owner.close()
      guardian.close()
    }
  }

  @Test func aShareIsKeptAndItsOwnerIsTold() throws {
    let scene = try Scene()
    #expect(try scene.guardian.core.guardians.held().map(\.kit) == [scene.note.kit])
    #expect(try scene.owner.core.guardians.guardians().map(\.kept) == [scene.now])
    scene.close()
  }

  @Test func aStrangersShareOfTheSameNumberDoesNotCatchTheOwnersRequests() throws {
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
      GuardianLetter(
        message: .keep(share: words, delay: 1), from: scene.stranger, to: try scene.guardian.identity.publicKey))
    #expect(try scene.guardian.core.guardians.held().map(\.owner) == [try scene.owner.identity.publicKey])
    try scene.ask()
    #expect(try scene.requests().map(\.third) == [try scene.owner.identity.publicKey])
    scene.close()
  }

  @Test func nothingIsKeptForWhoIsNotListenedTo() throws {
    let scene = try Scene(listening: false)
    #expect(try scene.guardian.core.guardians.held().isEmpty)
    #expect(try scene.owner.core.guardians.guardians().map(\.kept) == [nil])
    scene.close()
  }

  @Test func nothingIsDueBeforeTheTimeNorWithoutAYes() throws {
    let scene = try Scene(delay: 100)
    try scene.ask()
    let book = scene.guardian.core.guardians
    #expect(try book.due(now: scene.now + 1000).isEmpty)
    try book.release(try unwrap(scene.requests().first).name)
    #expect(try book.due(now: scene.now + 99).isEmpty)
    let due = try book.due(now: scene.now + 100)
    #expect(due.count == 1 && due[0].letters.map(\.to) == [scene.stranger])
    try book.gave(due[0].request)
    #expect(try book.due(now: scene.now + 200).isEmpty)
    scene.close()
  }

  @Test func theOwnersNoHoldsAndNobodyElses() throws {
    let scene = try Scene()
    let request = scene.id()
    try scene.ask(id: request)
    let me = try scene.guardian.identity.publicKey
    try scene.deliver(GuardianLetter(message: .cancel(request: request), from: scene.stranger, to: me))
    #expect(try scene.requests().map(\.state) == [.waiting])
    let notice = try unwrap(scene.owner.core.guardians.requests(.owner).first)
    #expect(notice.third == scene.stranger)
    for letter in try scene.owner.core.guardians.cancel(notice.name) { try scene.deliver(letter) }
    #expect(try scene.requests().map(\.state) == [.cancelled])
    #expect(try scene.owner.core.guardians.requests(.owner).map(\.state) == [.cancelled])
    #expect(failure { try scene.guardian.core.guardians.release(notice.name) }?.exit == .failed)
    #expect(try scene.guardian.core.guardians.due(now: scene.now + 1000).isEmpty)
    scene.close()
  }

  @Test func aCopyOfARequestAndOneOfLongAgoAreNotRead() throws {
    let scene = try Scene()
    let request = scene.id()
    try scene.ask(id: request)
    _ = try scene.guardian.core.guardians.refuse(try unwrap(scene.requests().first).name)
    try scene.ask(id: request)
    try scene.ask(sent: scene.now - GuardianBook.oldest - 1)
    try scene.ask(sent: scene.now + GuardianBook.ahead + 1)
    try scene.ask(kit: "ffff")
    #expect(try scene.requests().map(\.state) == [.refused])
    // Kept for longer than a letter is read, so that no copy is ever new.
    try scene.guardian.core.guardians.forgetOld(now: scene.now + GuardianBook.oldest)
    #expect(try scene.requests().count == 1)
    scene.close()
  }

  @Test func requestsAndSharesOfStrangersAreBounded() throws {
    let scene = try Scene()
    for _ in 0..<10 { try scene.ask() }
    #expect(try scene.requests().count == GuardianBook.mostRequestsForOne)
    #expect(try scene.owner.core.guardians.requests(.owner).count == GuardianBook.mostRequestsForOne)
    let me = try scene.guardian.identity.publicKey
    for _ in 0..<GuardianBook.mostHeldOfOne + 3 {
      let share = try SharedSecret.split(try secret([UInt8](0..<16)), into: try SharePlan(threshold: 2, count: 2))[0][0]
      try scene.deliver(
        GuardianLetter(message: .keep(share: try share.words().text(), delay: 5), from: scene.stranger, to: me))
    }
    #expect(try scene.guardian.core.guardians.held().count == GuardianBook.mostHeldOfOne + 1)
    scene.close()
  }

  @Test func nobodyShortensTheWaitAfterwards() throws {
    let scene = try Scene(delay: 1000)
    let me = try scene.guardian.identity.publicKey
    try scene.deliver(
      GuardianLetter(
        message: .keep(share: try scene.shares[0].words().text(), delay: 1), from: try scene.owner.identity.publicKey, to: me))
    #expect(try scene.guardian.core.guardians.held().map(\.delay) == [1000])
    scene.close()
  }

  @Test func aNoticeIsTakenFromAGuardianOnly() throws {
    let scene = try Scene()
    try scene.deliver(
      GuardianLetter(
        message: .asked(request: scene.id(), kit: scene.note.kit, by: scene.stranger, until: 1, note: ""), from: scene.stranger,
        to: try scene.owner.identity.publicKey))
    #expect(try scene.owner.core.guardians.requests(.owner).isEmpty)
    scene.close()
  }

  @Test func aSharesThatWasNotAskedForIsNotTaken() throws {
    let scene = try Scene()
    let give = GuardianMessage.give(request: scene.id(), share: try scene.shares[1].words().text())
    try scene.deliver(GuardianLetter(message: give, from: scene.stranger, to: try scene.owner.identity.publicKey))
    #expect(try scene.owner.core.guardians.sharesReceived(kit: nil).isEmpty)
    scene.close()
  }

  static let messages: [GuardianMessage] = [
    .keep(share: "a b", delay: 5), .kept(kit: "0d3f", group: 1, member: 15), .ask(kit: "0d3f", note: "hello"),
    .asked(request: Bytes32(), kit: "0d3f", by: PublicKey(Bytes32()), until: 9, note: ""), .waiting(request: Bytes32(), until: 9),
    .cancel(request: Bytes32()), .give(request: Bytes32(), share: "a"), .no(request: Bytes32(), isCancelled: true),
    .no(request: Bytes32(), isCancelled: false),
  ]

  @Test(arguments: messages) func aMessageIsReadAsItWasWritten(message: GuardianMessage) {
    #expect(GuardianMessage(message.content) == message)
  }

  @Test(arguments: [
    "", "x", "{}", #"{"v":2,"do":"ask","kit":"0d3f"}"#, #"{"v":1,"do":"ask","kit":"0d3"}"#, #"{"v":1,"do":"ask","kit":"zzzz"}"#,
    #"{"v":1,"do":"keep","share":"a","delay":0}"#, #"{"v":1,"do":"keep","share":"a","delay":9999999999}"#,
    #"{"v":1,"do":"kept","kit":"0d3f","group":16,"member":0}"#, #"{"v":1,"do":"cancel","request":"00"}"#,
    #"{"v":1,"do":"other"}"#,
  ])
  func whatIsNoMessageIsRefused(text: String) { #expect(GuardianMessage(text) == nil) }

  @Test func aNoteIsCutAndCleaned() {
    let content = GuardianMessage.ask(kit: "0d3f", note: "a\u{1b}[2J" + String(repeating: "ü", count: 500)).content
    guard case .ask(_, let note)? = GuardianMessage(content) else {
      Issue.record("not read")
      return
    }
    #expect(note.utf8.count <= GuardianMessage.longestNote && note.hasPrefix("a[2Jü"))
  }
}
