import Curve
import Encodings
import Nostr
import SecretMemory
import TestSupport
import Testing
import Threshold

@testable import Cosigning

@Suite("Signatures of a group over a network") struct RoundTests {
  private func signed(_ round: CosignRound) -> Event? {
    if case .done(.signed(let event)) = round.outcome { return event }
    return nil
  }

  private func isFailed(_ round: CosignRound) -> Bool { if case .failed = round.outcome { true } else { false } }

  @Test("A group signs an event", arguments: [(1, 1), (2, 2), (2, 3), (3, 5)])
  func signs(threshold: Int, members: Int) throws {
    let scene = try Scene(threshold: threshold, members: members)
    var (network, round) = (Network(scene, seed: 1), try scene.round())
    try network.run(&round)
    let event = try #require(signed(round))
    try event.verify()
    #expect(event.pubkey == scene.key.publicKey && event.content == "hello" && event.createdAt == 1000)
    #expect(network.transcript.count == threshold && !network.usesANonceTwice)
  }

  @Test(
    "A thousand signatures arrive although messages are lost, doubled and mixed up and members begin anew",
    arguments: [(2, 3, 700), (3, 5, 300)])
  func trouble(threshold: Int, members: Int, count: UInt64) throws {
    let scene = try Scene(threshold: threshold, members: members)
    for seed in 0..<count {
      var network = Network(scene, seed: seed)
      (network.loss, network.copies, network.kills) = (5, 5, 12)
      var round = try scene.round("number \(seed)")
      try network.run(&round, coordinator: UInt32(seed % 3))
      #expect(signed(round)?.hasValidSignature == true, "seed \(seed): \(round.standings)")
      #expect(!network.usesANonceTwice, "seed \(seed)")
    }
  }

  @Test("A member that lies is named, and the others sign without it") func liar() throws {
    let scene = try Scene(threshold: 2, members: 3)
    for seed in 0..<10 as Range<UInt64> {
      for liar in 0..<3 as Range<UInt32> {
        var (network, round) = (Network(scene, seed: seed), try scene.round("\(seed) \(liar)"))
        network.lies[liar] = { message in
          guard case .part(_, let nonce, let next) = message.content else { return message }
          return CosignMessage(
            group: message.group, request: message.request, .part(.signature(.fresh()), nonce: nonce, next: next))
        }
        try network.run(&round)
        #expect(signed(round)?.hasValidSignature == true)
        for (member, standing) in round.standings.enumerated() where UInt32(member) != liar {
          if case .lied = standing { Issue.record("\(member) did not lie") }
        }
        if network.transcript.contains(where: { $0.member == liar }) {
          guard case .lied = round.standings[Int(liar)] else {
            // The others were enough before its part came.
            #expect(round.standings.count { $0 == .signed } >= 2)
            continue
          }
        }
      }
    }
  }

  @Test(
    "Members compute the secret between the group's key and another one, and name who lies", arguments: [nil, 1] as [UInt32?])
  func sharedSecret(liar: UInt32?) throws {
    let peer = try KeyPair.random()
    for seed in 0..<5 as Range<UInt64> {
      let scene = try Scene(threshold: 2, members: 3)
      var round = try CosignRound(scene.group, .sharedSecret(peer.publicKey), expires: 2000)
      var network = Network(scene, seed: seed)
      (network.loss, network.copies) = (5, 5)
      if let liar {
        let set = try scene.group.signers([0, 1])
        let wrong = try SharedSecretPart(for: scene.key.publicKey, share: scene.dealing.shares[1], signers: set)
        network.lies[liar] = { message in
          guard case .part(_, let nonce, let next) = message.content else { return message }
          return CosignMessage(group: message.group, request: message.request, .part(.secret(wrong), nonce: nonce, next: next))
        }
      }
      try network.run(&round)
      guard case .done(.secret(let secret)) = round.outcome else {
        Issue.record("no secret: \(round.standings)")
        continue
      }
      let expected = try peer.sharedX(with: scene.key.publicKey).withBytes { [UInt8]($0) }
      #expect(secret.withBytes { [UInt8]($0) } == expected)
      if let liar { #expect(round.standings[Int(liar)] != .signed) }
    }
  }

  @Test("A wrong part names its sender at once, and nobody asks it again") func wrongPart() throws {
    let scene = try Scene(threshold: 2, members: 3)
    var round = try scene.round()
    func say(_ content: CosignMessage.Content, _ member: UInt32) throws -> Int {
      try round.receive(.init(group: scene.group.id, request: round.request, content), from: member).count
    }
    let nonces = try (0..<3).map { try scene.dealing.shares[$0].nonce().publicNonce }
    #expect(try say(.commit(nonces[0]), 0) == 0 && say(.commit(nonces[1]), 1) == 2)
    #expect(try say(.part(.signature(.fresh()), nonce: nonces[1], next: nonces[2]), 1) == 0)
    #expect(round.standings == [.willing, .lied(attempt: 0), .asked])
    #expect(try say(.commit(nonces[2]), 1) == 0)
    let next = try scene.dealing.shares[0].nonce().publicNonce
    #expect(try say(.commit(next), 0) == 0 && say(.commit(nonces[2]), 2) == 2, "the others sign without it")
    round.exclude(2)
    #expect(isFailed(round))
  }

  @Test("A member that commits and then says nothing holds up nobody") func silence() throws {
    let scene = try Scene(threshold: 3, members: 5)
    for seed in 0..<20 as Range<UInt64> {
      var (network, round) = (Network(scene, seed: seed), try scene.round("\(seed)"))
      for silent in [1, 4] as [UInt32] {
        network.lies[silent] = { message in if case .part = message.content { nil } else { message } }
      }
      try network.run(&round, reminders: 2)
      #expect(signed(round)?.hasValidSignature == true, "seed \(seed)")
    }
  }

  @Test("A member that commits again and again does not make attempts without end") func commits() throws {
    let scene = try Scene(threshold: 2, members: 3)
    var round = try scene.round()
    func commit(_ member: UInt32) throws -> [(CosignMessage, to: UInt32)] {
      let nonce = try scene.dealing.shares[Int(member)].nonce()
      return try round.receive(.init(group: scene.group.id, request: round.request, .commit(nonce.publicNonce)), from: member)
    }
    #expect(try commit(0).isEmpty)
    #expect(try commit(1).count == 2)
    for _ in 0..<100 { #expect(try commit(1).isEmpty && commit(0).isEmpty) }
    func attempts() throws -> Int {
      try round.goOn().count { message, to in
        if case .sign(let signers) = message.content { to == signers[0].number } else { false }
      }
    }
    #expect(try attempts() == 3, "another attempt each time it goes on, and the lists of both again")
    #expect(try attempts() == 2, "nobody is free")
  }

  @Test("Two that deny leave too few of three, and the round ends") func denied() throws {
    let scene = try Scene(threshold: 2, members: 3)
    var round = try scene.round()
    func decline(_ member: UInt32, _ reason: CosignMessage.Reason) throws {
      _ = try round.receive(.init(group: scene.group.id, request: round.request, .decline(reason)), from: member)
    }
    try decline(1, .asking)
    #expect(round.standings[1] == .later(.asking))
    try decline(1, .denied)
    #expect(round.standings[1] == .denied && !isFailed(round))
    try decline(1, .locked)
    #expect(round.standings[1] == .denied)
    try decline(2, .denied)
    #expect(try isFailed(round) && round.goOn().isEmpty)
  }

  @Test("What is for another group or request, or from a stranger, changes nothing") func strangers() throws {
    let scene = try Scene(threshold: 2, members: 3)
    var round = try scene.round()
    let nonce = try scene.dealing.shares[1].nonce().publicNonce
    func got(_ group: Bytes32, _ request: Bytes32, from: UInt32) -> CosignError? {
      error { _ = try round.receive(.init(group: group, request: request, .commit(nonce)), from: from) }
    }
    #expect(got(.fresh(), round.request, from: 1) == .otherGroup)
    #expect(got(scene.group.id, .fresh(), from: 1) == .unknownRequest)
    #expect(got(scene.group.id, round.request, from: 3) == .stranger)
    #expect(round.standings == [.asked, .asked, .asked])
    let part = CosignMessage(
      group: scene.group.id, request: round.request, .part(.signature(.fresh()), nonce: nonce, next: nonce))
    #expect(error { _ = try round.receive(part, from: 1) } == .unknownRequest)
    let other = UnsignedEvent(pubkey: try KeyPair.random().publicKey, createdAt: 1, kind: 1)
    #expect(error { _ = try CosignRound(scene.group, .sign(other), expires: 2000) } == .otherAuthor)
  }
}
