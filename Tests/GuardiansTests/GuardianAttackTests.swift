import Ciphers
import Curve
import DaemonSupport
import Encodings
import Identities
import JSON
import Mnemonics
import SecretMemory
import TestSupport
import Testing
import Vault

@testable import EntrustedShares
@testable import Guardians
@testable import OwnerOperations
@testable import Signer

/// Whoever has the owner's key, an old letter, a kit's number to guess, or the guardian's clock.
@Suite struct GuardianAttackTests {
  typealias Scene = GuardianBookTests.Scene

  // MARK: the longest wait

  @Test("The longest wait of all shares counts, whichever share arrived first", arguments: [(100, 900), (900, 100)])
  func theLongestWaitCounts(first: Int64, second: Int64) throws {
    let scene = try Scene(delay: first)
    try scene.handOver(scene.shares[1], delay: second)
    try scene.acceptAll()
    try scene.ask(code: try scene.code())
    try scene.release()
    #expect(try scene.due(899).isEmpty)
    #expect(try scene.due(900).count == 2)
    scene.close()
  }

  @Test("Someone who stole the owner's key cannot shorten the wait with a share of their own", arguments: [false, true])
  func aThiefShortensNoWait(isAccepted: Bool) throws {
    let scene = try Scene(delay: 100)
    try scene.ask()
    try scene.handOver(try scene.forged(0), delay: 1)
    try scene.handOver(try scene.forged(1), delay: 1)
    if isAccepted { try scene.acceptAll() }
    try scene.ask(by: try scene.owner.identity.publicKey)
    for request in try scene.requests() { try scene.release(request) }
    #expect(try scene.due(99).isEmpty)
    let given = try scene.due(100)
    #expect(given.count == (isAccepted ? 3 : 1) * 2 && given.contains { $0 == (try? scene.shares[0].words().text()) })
    scene.close()
  }

  @Test("A share that arrives after the approval extends the wait if its own wait is longer")
  func aLaterShareProlongsTheWait() throws {
    let scene = try Scene(delay: 100)
    try scene.ask()
    try scene.release()
    try scene.handOver(scene.shares[1], delay: 500)
    try scene.acceptAll()
    #expect(try scene.due(499).isEmpty)
    #expect(try scene.due(500).count == 2)
    scene.close()
  }

  // MARK: a dishonest guardian

  /// A scene with a second guardian of the same kit, who reports a request before the honest guardian gets it.
  private func noticed(_ first: (Bytes32) -> Bytes32) throws -> (scene: Scene, thief: PublicKey, request: Bytes32) {
    let scene = try Scene()
    let thief = scene.somebody()
    let note = EntrustedShare(
      side: .given, other: thief, identity: scene.note.identity, kit: scene.note.kit, group: 0, member: 1, delay: 100,
      at: scene.now)
    _ = try scene.owner.operations.services.guardians.add(note, share: scene.shares[1])
    let request = scene.id()
    try tell(scene, first(request), from: thief)
    return (scene, thief, request)
  }

  private func tell(_ scene: Scene, _ request: Bytes32, from guardian: PublicKey, until: Int64 = 1) throws {
    let notice = GuardianNotice(
      request: request, kit: scene.note.kit, by: scene.stranger, until: until, note: "", standing: .code, isAllowed: false)
    try scene.deliver(GuardianEnvelope(message: .asked(notice), from: guardian, to: scene.note.identity))
  }

  @Test("A guardian who reports a request first cannot hide that another guardian reports it")
  func oneGuardianHidesNothingOfAnother() throws {
    let (scene, thief, request) = try noticed { $0 }
    try scene.deliver(GuardianEnvelope(message: .no(request: request, why: .refused), from: thief, to: scene.note.identity))
    try scene.ask(id: request, code: try scene.code())
    let book = scene.owner.operations.services.guardians
    #expect(try book.requests(.owner).filter(\.isOpen).map(\.other) == [scene.note.other])
    let name = try unwrap(book.requests(.owner).first(where: \.isOpen)).name
    for letter in try book.cancel(name) { try scene.deliver(letter) }
    #expect(try scene.requests().map(\.state) == [.cancelled])
    scene.close()
  }

  @Test("A cancellation reaches every guardian who reported a request of that name", arguments: [false, true])
  func aCancellationReachesEveryGuardian(isLookalike: Bool) throws {
    let (scene, thief, request) = try noticed { request in
      guard isLookalike else { return request }
      return Bytes32(request.array.prefix(8) + [UInt8](repeating: 9, count: 24)) ?? request
    }
    try scene.ask(id: request, code: try scene.code())
    let book = scene.owner.operations.services.guardians
    let name = try unwrap(book.requests(.owner).first).name
    let letters = try book.cancel(name)
    #expect(Set(letters.map(\.to)) == [thief, scene.note.other])
    for letter in letters { try scene.deliver(letter) }
    #expect(try scene.requests().map(\.state) == [.cancelled])
    scene.close()
  }

  @Test(
    "Giving a guardian's share again from another identity is refused, and giving it again from the same one keeps its relays")
  func nobodyReplacesAGuardian() throws {
    let scene = try Scene()
    let book = scene.owner.operations.services.guardians
    func note(_ identity: PublicKey, _ relays: [String]) -> EntrustedShare {
      EntrustedShare(
        side: .given, other: scene.note.other, identity: identity, kit: scene.note.kit, group: 0, member: 0, delay: 1,
        at: scene.now,
        relays: relays)
    }
    _ = try book.add(note(scene.note.identity, ["wss://a.example"]), share: scene.shares[0])
    _ = try book.add(note(scene.note.identity, ["wss://b.example"]), share: scene.shares[0])
    #expect(throws: GuardianError.givenFromOther(scene.note.identity)) {
      _ = try book.add(note(scene.somebody(), []), share: scene.shares[0])
    }
    let kept = try unwrap(book.guardians().first)
    #expect(kept.identity == scene.note.identity && kept.relays == ["wss://a.example", "wss://b.example"])
    scene.close()
  }

  @Test("A notice counts only at the identity that gave the share, and a cancellation skips identities whose key is closed")
  func aNoticeIsForTheIdentityThatGave() throws {
    let scene = try Scene()
    let book = scene.owner.operations.services.guardians
    let other = scene.somebody()
    let second = EntrustedShare(
      side: .given, other: scene.note.other, identity: other, kit: scene.note.kit, group: 0, member: 1, delay: 100, at: scene.now)
    _ = try book.add(second, share: scene.shares[1])
    let notice = GuardianNotice(
      request: scene.id(), kit: scene.note.kit, by: scene.stranger, until: 1, note: "", standing: .code, isAllowed: false)
    for me in [scene.somebody(), other] {
      _ = try book.take(
        .asked(notice), id: scene.id(), from: scene.note.other, to: me, sent: scene.now, at: scene.moment())
    }
    #expect(try book.requests(.owner).map(\.identity) == [other])
    try scene.ask(code: try scene.code())
    let told = try unwrap(book.requests(.owner).first { $0.identity == scene.note.identity })
    #expect(try book.cancel(told.name, canWrite: { $0 != scene.note.identity }).isEmpty)
    #expect(try book.cancel(told.name).map(\.from) == [scene.note.identity])
    scene.close()
  }

  @Test("An impossible end of the waiting time, as a guardian reports it, is limited", arguments: [Int64.max, .min, -1])
  func anImpossibleEndIsBounded(until: Int64) throws {
    let scene = try Scene()
    try tell(scene, scene.id(), from: scene.note.other, until: until)
    let told = try unwrap(scene.owner.operations.services.guardians.requests(.owner).first).until
    #expect((0...scene.now + 31 * 24 * 3600).contains(told))
    scene.close()
  }

  @Test("A share that a guardian sends back to its owner has another name than the guardian")
  func whatCameBackHasAnotherName() throws {
    let scene = try Scene()
    let book = scene.owner.operations.services.guardians
    let me = scene.note.identity
    try book.setListening(true, me, of: [me])
    let words = try scene.shares[0].words().text()
    try scene.deliver(
      GuardianEnvelope(message: .keep(share: words, delay: 100, code: nil), from: scene.note.other, to: me))
    let held = try unwrap(book.heldAndOffered().first)
    #expect(try book.remove(held.name, now: scene.now))
    #expect(try book.heldAndOffered().isEmpty && book.guardians().count == 1)
    scene.close()
  }

  // MARK: consent

  @Test("A second share of a kit is stored only with the guardian's consent")
  func aSecondShareNeedsConsent() throws {
    let scene = try Scene()
    let book = scene.guardian.operations.services.guardians
    let unconfirmed = try scene.handOver(scene.shares[1], delay: 100)
    #expect(unconfirmed.isEmpty)
    #expect(try book.held().map(\.member) == [0] && book.heldAndOffered().count == 2)
    // The same letter again changes nothing, and is not confirmed either.
    #expect(try scene.handOver(scene.shares[1], delay: 100).isEmpty)
    try scene.ask(code: try scene.code())
    try scene.release()
    #expect(try scene.due(100).count == 1)
    let name = try unwrap(book.heldAndOffered().first(where: \.isOffered)).name
    let confirmation = try unwrap(book.accept(name))
    #expect(confirmation.message == .kept(kit: scene.note.kit, group: 0, member: 1))
    #expect(try book.held().count == 2 && book.accept(name) == nil)
    #expect(try scene.due(100).count == 2)
    scene.close()
  }

  @Test("The number of shares that wait for consent is limited") func offersAreBounded() throws {
    let scene = try Scene()
    for number in 0..<12 { try scene.handOver(try scene.forged(number % 3, seed: UInt8(number))) }
    let all = try scene.guardian.operations.services.guardians.heldAndOffered()
    #expect(all.count { $0.isOffered } == GuardianBook.mostOfferedOfOne && Set(all.map(\.name)).count == all.count)
    scene.close()
  }

  // MARK: what was sent away

  @Test("A removed share is not restored by its old envelope, even after a restart")
  func aRemovedShareStaysAway() throws {
    let scene = try Scene()
    let name = try unwrap(scene.guardian.operations.services.guardians.held().first).name
    scene.now += 10
    #expect(try scene.guardian.operations.services.guardians.remove(name, now: scene.now))
    let (home, letter) = (scene.guardian.home, try scene.letter(scene.shares[0]))
    for sent in [scene.now - 10, scene.now] { #expect(try scene.take(letter, sent: sent).isEmpty) }
    scene.guardian.close()
    let again = try Signer(home)
    let book = again.operations.services.guardians
    scene.now += 10
    _ = try scene.take(letter, sent: scene.now - 20, by: book)
    #expect(try book.heldAndOffered().isEmpty)
    // A new letter of its owner waits for consent.
    _ = try scene.take(letter, sent: scene.now, by: book)
    #expect(try book.held().isEmpty && book.heldAndOffered().map(\.isOffered) == [true])
    again.close()
    scene.owner.close()
  }

  @Test("An envelope dated in the future does not restore a removed share")
  func aLetterOfTheFutureStaysAway() throws {
    let scene = try Scene(listening: false)
    let me = try scene.guardian.identity.publicKey
    try scene.guardian.operations.services.guardians.setListening(true, me, of: [me])
    let letter = try scene.letter(scene.shares[0])
    let sent = scene.now + GuardianBook.ahead
    _ = try scene.take(letter, sent: sent)
    let name = try unwrap(scene.guardian.operations.services.guardians.held().first).name
    #expect(try scene.guardian.operations.services.guardians.remove(name, now: scene.now))
    _ = try scene.take(letter, sent: sent)
    #expect(try scene.guardian.operations.services.guardians.heldAndOffered().isEmpty)
    scene.close()
  }

  @Test("A clock that was ahead for a while does not revive a refused request")
  func whatIsForgottenDoesNotComeBack() throws {
    let scene = try Scene()
    let request = scene.id()
    try scene.ask(id: request)
    _ = try scene.guardian.operations.services.guardians.refuse(try unwrap(scene.requests().first).name)
    try scene.guardian.operations.services.guardians.forgetOld(now: scene.now + GuardianBook.kept + 1)
    #expect(try scene.requests().isEmpty)
    try scene.ask(id: request)
    #expect(try scene.requests().isEmpty)
    scene.now += 1
    try scene.ask()
    #expect(try scene.requests().count == 1)
    scene.close()
  }

  // MARK: silence

  @Test("Until the guardian approves, a stranger's request for any kit gets no answer")
  func strangersHearNothingBeforeTheYes() throws {
    let scene = try Scene()
    let book = scene.guardian.operations.services.guardians
    for number in 0..<40 {
      let kit = number % 2 == 0 ? scene.note.kit : "\(number + 1000)"
      let letters = try scene.take(try scene.asking(kit: kit), sent: scene.now, from: scene.somebody())
      #expect(letters.isEmpty, "no envelope is sent to anybody")
    }
    let waiting = try scene.requests()
    try #require(waiting.count == RequestPlaces.ofEach && !waiting.contains { $0.isTold })
    #expect(try book.refuse(waiting[0].name).isEmpty)
    let stopped = try book.take(
      .cancel(request: waiting[1].request), id: scene.id(), from: try scene.owner.identity.publicKey,
      to: try scene.guardian.identity.publicKey, sent: scene.now, at: scene.moment())
    #expect(try stopped.map(\.to) == [scene.owner.identity.publicKey])
    let yes = try book.release(waiting[2].name, at: scene.moment())
    #expect(try Set(yes.map(\.to)) == [scene.owner.identity.publicKey, waiting[2].other])
    #expect(try book.refuse(waiting[2].name).map(\.to) == [waiting[2].other])
    scene.close()
  }

  @Test("A request with the correct code gets no answer before the approval, and the owner is told at once")
  func theCodeTellsTheOwnerAlone() throws {
    let scene = try Scene()
    let letters = try scene.take(try scene.asking(code: try scene.code()), sent: scene.now)
    #expect(try letters.map(\.to) == [scene.owner.identity.publicKey])
    scene.close()
  }

  // MARK: the clock

  @Test(
    "Setting the guardian's clock ahead does not shorten a wait, with or without a restart", arguments: [false, true])
  func theClockOnTheWallShortensNothing(isRestarted: Bool) throws {
    let scene = try Scene(delay: 100)
    let book = scene.guardian.operations.services.guardians
    try scene.ask()
    try scene.release()
    if isRestarted { scene.start = [UInt8](repeating: 2, count: Moment.startLength) }
    #expect(try book.due(at: scene.moment(0, ahead: 1_000_000)).isEmpty)
    #expect(try book.nextDue(at: scene.moment(0, ahead: 1_000_000)) == 100_000)
    #expect(try book.due(at: scene.moment(99, ahead: 1_000_000)).isEmpty)
    // Set back, it prolongs none.
    #expect(try book.due(at: scene.moment(100, ahead: -1_000_000)).count == 1)
    scene.close()
  }

  @Test("Time while the machine is off does not count towards the wait; time counted before does")
  func timeWhileTheMachineIsOffDoesNotCount() throws {
    let scene = try Scene(delay: 1000)
    let book = scene.guardian.operations.services.guardians
    try scene.ask()
    try scene.release()
    scene.now += 600
    try book.noteTime(at: scene.moment())
    scene.now += 50_000
    // Another machine, or another start, whose own clock is far on already.
    scene.start = [UInt8](repeating: 2, count: Moment.startLength)
    #expect(try book.nextDue(at: scene.moment()) == 400_000)
    #expect(try book.due(at: scene.moment(399)).isEmpty)
    #expect(try book.due(at: scene.moment(400)).count == 1)
    scene.close()
  }

  @Test("When the system has no boot identifier, no time counts")
  func withoutAStartNoTimeCounts() throws {
    let scene = try Scene(delay: 1)
    let book = scene.guardian.operations.services.guardians
    try scene.ask()
    try scene.release()
    #expect(try book.due(at: Moment(wall: scene.now + 1_000_000, boot: .max, start: nil)).isEmpty)
    #expect(try book.due(at: Moment(wall: scene.now, boot: 0, start: scene.start)).isEmpty)
    scene.close()
  }

  @Test("This machine has a boot identifier") func thisMachineHasAStart() {
    let (one, two) = (Moment.now, Moment.now)
    #expect(one.start?.count == Moment.startLength && one.start == two.start && two.boot >= one.boot && one.boot > 0)
  }

  @Test("No time counts for a process in a shifted time namespace") func aShiftedClockHasNoStart() {
    let id = Array("9d1f6a52-0c52-4b8e-9a51-3f1c58c5a001\n".utf8)
    func start(_ offsets: String?) -> [UInt8]? { Moment.start(id: id, offsets: offsets.map { Array($0.utf8) }) }
    #expect(start(nil)?.count == Moment.startLength)
    #expect(start("monotonic           0         0\nboottime            0         0\n")?.count == Moment.startLength)
    #expect(start("monotonic      864000         0\nboottime            0         0\n") != nil, "another clock")
    #expect(start("monotonic           0         0\nboottime      864000         0\n") == nil)
    #expect(start("monotonic           0         0\nboottime           -1 999999999\n") == nil)
  }

  @Test("A request approved by an earlier version waits its full time again")
  func anEarlierVersionsRequestWaitsAnew() throws {
    let scene = try Scene(delay: 100)
    let (me, owner) = (try scene.guardian.identity.publicKey, try scene.owner.identity.publicKey)
    let old =
      #"{"part":"i","request":"\#(scene.id().hex)","identity":"\#(me.hex)","other":"\#(scene.stranger.hex)","third":"\#(owner.hex)","#
      + #""kit":"\#(scene.note.kit)","note":"","at":5,"until":6,"state":"approved","relays":[],"told":true}"#
    try scene.guardian.core.vault.transaction([.put(.shareRequest, [1], Array(old.utf8))])
    let request = try unwrap(scene.requests().first)
    try scene.guardian.core.vault.transaction([
      .delete(kind: .shareRequest, id: [1]), .put(.shareRequest, request.id, Array(old.utf8)),
    ])
    #expect(try scene.due().isEmpty)
    #expect(try scene.due(99).isEmpty)
    #expect(try scene.due(100).count == 1)
    scene.close()
  }

  // MARK: shares that come back

  @Test("A forged share does not replace an honest guardian's share in the same position")
  func aForgedShareReplacesNone() throws {
    let scene = try Scene()
    let book = scene.owner.operations.services.guardians
    let (me, kit) = (try scene.owner.identity.publicKey, scene.note.kit)
    let (forged, another, honest) = (try scene.forged(0), try scene.forged(0, seed: 50), scene.somebody())
    // The last in an honest guardian's own name, by whoever has his key.
    for (guardian, share) in [
      (honest, scene.shares[0]), (scene.somebody(), forged), (scene.stranger, scene.shares[1]), (honest, another),
    ] {
      let request = ShareRequest(
        part: .asker, request: scene.id(), identity: me, other: guardian, third: nil, kit: kit, note: "", at: scene.now, until: 0,
        state: .waiting, relays: [])
      try book.asked(request)
      // The same twice, as a guardian sends it who does not know that it came.
      for _ in 0..<2 {
        _ = try book.take(
          .give(request: request.request, share: try share.words().text()), id: scene.id(), from: guardian, to: me,
          sent: scene.now, at: scene.moment())
      }
    }
    let texts = try book.sharesReceived(kit: kit).map { try $0.duplicate().text() }
    #expect(
      try Set(texts) == Set([scene.shares[0], forged, scene.shares[1], another].map { try $0.words().text() }) && texts.count == 4
    )
    #expect(
      try book.sharesReceived(kit: kit, from: scene.stranger).map { try $0.duplicate().text() } == [
        scene.shares[1].words().text()
      ])
    #expect(try book.requests(.asker).map(\.shares) == [1, 1, 1, 1])
    #expect(try book.sharesReceived(kit: "0000").isEmpty)
    scene.close()
  }
}

extension GuardianBookTests.Scene {
  /// The owner's letter that hands a share over.
  func letter(_ share: Share, delay: Int64 = 100) throws -> GuardianMessage {
    .keep(share: try share.words().text(), delay: delay, code: nil)
  }

  /// As whoever has the owner's key hands a share over.
  @discardableResult
  func handOver(_ share: Share, delay: Int64 = 100) throws -> [GuardianEnvelope] {
    try take(try letter(share, delay: delay), sent: now, from: try owner.identity.publicKey)
  }

  /// The guardian's book takes a letter.
  func take(
    _ message: GuardianMessage, id: Bytes32? = nil, sent: Int64, from author: PublicKey? = nil, by book: GuardianBook? = nil
  ) throws -> [GuardianEnvelope] {
    let isKeeping = if case .keep = message { true } else { false }
    let author = try author ?? (isKeeping ? try owner.identity.publicKey : stranger)
    let me = note.other
    return try (book ?? guardian.operations.services.guardians).take(
      message, id: id ?? self.id(), from: author, to: me, sent: sent, at: moment())
  }

  func asking(by asker: PublicKey? = nil, kit: String? = nil, code: RequestCode? = nil) throws -> GuardianMessage {
    let proof = code?.proof(kit: note.kit, guardian: note.other, asker: asker ?? stranger)
    return .ask(kit: kit ?? note.kit, note: "", proof: proof)
  }

  /// Another share of this place and kit, of another secret.
  func forged(_ member: Int, seed: UInt8 = 100) throws -> Share {
    let (kit, plan) = (shares[0].numbers.identifier, try SharePlan(threshold: 2, count: 3))
    var isFirst = true
    return try SharedSecret.split(try secret([UInt8](seed..<seed + 16)), into: plan) { buffer in
      if isFirst {
        buffer.storeBytes(of: kit, as: UInt16.self)
      } else {
        for index in buffer.indices { buffer[index] = UInt8(truncatingIfNeeded: index) &+ seed }
      }
      isFirst = false
    }[0][member]
  }

  func acceptAll() throws {
    for note in try guardian.operations.services.guardians.heldAndOffered() where note.isOffered {
      _ = try guardian.operations.services.guardians.accept(note.name)
    }
  }

  /// The guardian's yes to the first request, or to this one.
  func release(_ request: ShareRequest? = nil) throws {
    let name = try (request ?? unwrap(requests().first)).name
    _ = try guardian.operations.services.guardians.release(name, at: moment())
  }

  /// The shares that would be given after so many seconds.
  func due(_ later: Int64 = 0) throws -> [String] {
    try guardian.operations.services.guardians.due(at: moment(later)).flatMap(\.envelopes).compactMap {
      if case .give(_, let share) = $0.message { share } else { nil }
    }
  }
}
