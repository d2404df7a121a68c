import Curve
import Encodings
import Nostr
import TestSupport
import Testing
import Threshold

@testable import Cosigning

@Suite("One member of a group") struct MemberTests {
  private let scene: Scene
  private let request = Bytes32.fresh()

  init() throws { scene = try Scene(threshold: 2, members: 3) }

  private func message(_ content: CosignMessage.Content, group: Bytes32? = nil) -> CosignMessage {
    CosignMessage(group: group ?? scene.group.id, request: request, content)
  }

  private func ask(_ content: String = "hello", expires: Int64 = 2000) -> CosignMessage {
    message(.ask(.sign(scene.event(content)), expires: expires))
  }

  /// Member 1 after it approved a question of member 0, and the nonce that it committed to.
  private func approved() throws -> PublicNonce {
    _ = try scene.daemons[1].member.receive(ask(), from: 0, now: 1500)
    guard case .send(let answer, let to) = try scene.daemons[1].member.approve(request, from: 0), to == 0,
      case .commit(let nonce) = answer.content
    else { throw CosignError.unknownRequest }
    return nonce
  }

  private func other() throws -> PublicNonce { try scene.dealing.shares[0].nonce().publicNonce }

  @Test("A member shows its owner the event itself, and gives no nonce before the owner said yes") func decides() throws {
    let actions = try scene.daemons[1].member.receive(ask(), from: 0, now: 1500)
    guard case .decide(.sign(let event), let asked, let from)? = actions.first, actions.count == 1 else {
      throw CosignError.unknownRequest
    }
    #expect(event.content == "hello" && event.id() == scene.event().id() && asked == request && from == 0)
    let sign = message(.sign([.init(0, try other()), .init(1, try other())]))
    #expect(error { _ = try scene.daemons[1].member.receive(sign, from: 0, now: 1500) } == .notApproved)
    #expect(try scene.daemons[1].member.receive(ask(), from: 0, now: 1500).isEmpty, "the owner is asked once")
  }

  @Test("A nonce signs once: with other signers it is spent, and the same message gets the same answer") func nonces() throws {
    let nonce = try approved()
    let sign = message(.sign([.init(0, try other()), .init(1, nonce)]))
    let first = try scene.daemons[1].member.receive(sign, from: 0, now: 1500)
    let again = try scene.daemons[1].member.receive(sign, from: 0, now: 1500)
    guard case .send(let one, _)? = first.first, case .send(let two, _)? = again.first,
      case .part(let part, let used, let next) = one.content
    else { throw CosignError.unknownRequest }
    #expect(one.json() == two.json() && used == nonce && next != nonce && part.bytes.count == 32)
    for signers in [[.init(0, try other()), .init(1, nonce)], [.init(1, nonce), .init(2, try other())]]
      as [[CosignMessage.Signer]]
    {
      #expect(error { _ = try scene.daemons[1].member.receive(message(.sign(signers)), from: 0, now: 1500) } == .nonceSpent)
    }
    let later = message(.sign([.init(1, next), .init(2, try other())]))
    #expect(try scene.daemons[1].member.receive(later, from: 0, now: 1500).count == 1)
  }

  @Test("A list of signers that cannot sign costs no nonce") func badSigners() throws {
    let nonce = try approved()
    let (own, one) = (CosignMessage.Signer(1, nonce), CosignMessage.Signer(0, try other()))
    for (signers, expected) in [
      ([own], .badSigners(.signerCount)), ([own, own], .badSigners(.identifierRepeated)),
      ([own, .init(3, one.nonce)], .badSigners(.identifierMissing)), ([one, .init(1, one.nonce)], .nonceSpent), ([], .nonceSpent),
    ] as [([CosignMessage.Signer], CosignError)] {
      #expect(error { _ = try scene.daemons[1].member.receive(message(.sign(signers)), from: 0, now: 1500) } == expected)
    }
    #expect(try scene.daemons[1].member.receive(message(.sign([own, one])), from: 0, now: 1500).count == 1)
  }

  @Test("Another event under the same request, an event of another key, and another group are refused") func refuses() throws {
    _ = try approved()
    func got(_ message: CosignMessage, from: UInt32 = 0) -> CosignError? {
      error { _ = try scene.daemons[1].member.receive(message, from: from, now: 1500) }
    }
    #expect(got(ask("another")) == .unknownRequest)
    let stranger = UnsignedEvent(pubkey: try KeyPair.random().publicKey, createdAt: 1, kind: 1)
    #expect(got(message(.ask(.sign(stranger), expires: 2000))) == .otherAuthor)
    #expect(got(message(.ask(.sign(scene.event()), expires: 2000), group: .fresh())) == .otherGroup)
    #expect(got(ask(), from: 3) == .stranger)
    #expect(got(ask(expires: 1500), from: 2) == .expired)
    #expect(got(message(.sign([])), from: 2) == .unknownRequest, "the request is member 0's")
  }

  @Test("A no is final, and is said again to whoever asks again") func denies() throws {
    _ = try scene.daemons[1].member.receive(ask(), from: 0, now: 1500)
    _ = try scene.daemons[1].member.decline(request, from: 0, because: .denied)
    let again = try scene.daemons[1].member.receive(ask(), from: 0, now: 1500)
    guard case .send(let answer, _)? = again.first, case .decline(.denied) = answer.content else {
      throw CosignError.unknownRequest
    }
    #expect(error { _ = try scene.daemons[1].member.approve(request, from: 0) } == .unknownRequest)
  }

  @Test("A coordinator has only so many requests, and disturbs nobody else's") func limits() throws {
    func ask(from: UInt32) -> CosignError? {
      let one = CosignMessage(group: scene.group.id, request: .fresh(), .ask(.sign(scene.event()), expires: 2000))
      return error { _ = try scene.daemons[1].member.receive(one, from: from, now: 1500) }
    }
    for _ in 0..<CosignMember.mostRequests { #expect(ask(from: 0) == nil) }
    #expect(ask(from: 0) == .tooMany && ask(from: 2) == nil)
  }

  @Test("What is over is forgotten, at the latest after a day") func expiry() throws {
    let nonce = try approved()
    let forever = CosignMessage(group: scene.group.id, request: .fresh(), .ask(.sign(scene.event()), expires: .max))
    _ = try scene.daemons[1].member.receive(forever, from: 0, now: 1500)
    let sign = message(.sign([.init(0, try other()), .init(1, nonce)]))
    #expect(error { _ = try scene.daemons[1].member.receive(sign, from: 0, now: 2000) } == .unknownRequest)
    #expect(scene.daemons[1].member.count == 1)
    _ = error { _ = try scene.daemons[1].member.receive(sign, from: 0, now: 1500 + CosignMember.longestWait) }
    #expect(scene.daemons[1].member.count == 0)
    _ = try approved()
    scene.daemons[1].member.burn()
    #expect(scene.daemons[1].member.count == 0)
  }

  @Test("A group that contradicts itself, and a share of another group, are refused") func groups() throws {
    let other = try Scene(threshold: 2, members: 3)
    let (key, members) = (scene.group.publicKey, scene.group.members)
    func refused(_ key: [UInt8], _ threshold: Int, _ members: [CosignGroup.Member]) -> CosignError? {
      error { _ = try CosignGroup(publicKey: key, threshold: threshold, members: members) }
    }
    #expect(refused(other.group.publicKey, 2, members) == .badGroup)
    #expect(refused(key, 4, members) == .badGroup && refused(key, 0, members) == .badGroup && refused(key, 1, []) == .badGroup)
    #expect(refused(key, 2, [members[0], members[0], members[2]]) == .badGroup)
    #expect(refused(key, 2, [other.group.members[0]] + members[1...]) == .badGroup)
    #expect(error { _ = try CosignMember(scene.group, share: other.dealing.shares[0]) } == .badGroup)
    let next = try CosignGroup(publicKey: key, threshold: 2, members: members, epoch: 1)
    #expect(next.id != scene.group.id && scene.group.number(of: members[2].key) == 2)
    #expect(scene.group.number(of: try KeyPair.random().publicKey) == nil && scene.group.author == scene.key.publicKey)
  }
}
