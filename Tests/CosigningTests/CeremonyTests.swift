import Curve
import Encodings
import Nostr
import TestSupport
import Testing
import Threshold

@testable import Cosigning

@Suite("Ceremonies by which devices become the members of a group") struct CeremonyTests {
  /// Signs an event with the first members.
  private func sign(with seats: [CeremonyTable.Seat]) throws -> Event {
    let group = try #require(seats[0].group)
    let daemons = try seats.map { try Daemon(group, try #require($0.share)) }
    let event = UnsignedEvent(pubkey: try #require(group.author), createdAt: 1000, kind: 1, content: "ours")
    var round = try CosignRound(group, .sign(event), expires: 2000)
    var letters = daemons.map { (round.question, $0.member.number) }
    while !letters.isEmpty {
      let (message, to) = letters.removeFirst()
      for action in try daemons[Int(to)].member.receive(message, from: 0, now: 1500) {
        var said: [CosignMessage] = []
        switch action {
        case .send(let answer, _): said.append(answer)
        case .decide(_, let request, let from):
          if case .send(let answer, _) = try daemons[Int(to)].member.approve(request, from: from) { said.append(answer) }
        }
        for answer in said { letters += try round.receive(answer, from: to).map { ($0.0, $0.to) } }
      }
    }
    guard case .done(.signed(let signed)) = round.outcome else { throw CosignError.notApproved }
    return signed
  }

  @Test("Members generate a key together, and sign for it", arguments: [(2, 2), (2, 3), (3, 5), (15, 20)])
  func generates(threshold: Int, members: Int) throws {
    var table = try CeremonyTable(threshold: threshold, members: members)
    try table.run()
    #expect(table.seats.allSatisfy { $0.mayUse && $0.ended == nil && $0.group == table.seats[0].group })
    #expect(Set(table.seats.map(\.compared)).count == 1 && table.seats[0].compared != nil)
    #expect(table.seats.enumerated().allSatisfy { $1.share?.identifier == UInt32($0) })
    let event = try sign(with: table.seats)
    #expect(event.hasValidSignature && event.pubkey == table.seats[0].group?.author)
  }

  @Test("A key that is split keeps its public key, whatever its parity", arguments: 0..<8)
  func splits(_: Int) throws {
    let key = try KeyPair.random()
    var table = try CeremonyTable(threshold: 2, members: 3, splitting: key)
    try table.run()
    #expect(table.seats.allSatisfy { $0.mayUse })
    let event = try sign(with: table.seats)
    #expect(event.hasValidSignature && event.pubkey == key.publicKey)
  }

  @Test("Ceremonies end although messages are lost, doubled and mixed up") func trouble() throws {
    for seed in 0..<60 as Range<UInt64> {
      var table = try CeremonyTable(threshold: 2, members: 3, splitting: seed % 2 == 0 ? KeyPair.random() : nil, seed: seed)
      (table.loss, table.copies) = (3, 3)
      try table.run()
      #expect(table.seats.allSatisfy { $0.mayUse && $0.group == table.seats[0].group }, "seed \(seed)")
    }
  }

  @Test("No group is used before all members stored their shares") func storedByAll() throws {
    var table = try CeremonyTable(threshold: 2, members: 3)
    table.change = { message, from in
      if case .stored = message.content, from == 2 { nil } else { message }
    }
    try table.run(reminders: 20)
    #expect(table.seats.allSatisfy { $0.share != nil && !$0.mayUse && $0.ended == nil })
  }

  // Each message that a guest or the host sends, with something else in it.
  @Test("A liar ends the ceremony for all, and gets no group into use", arguments: 0..<7) func liars(place: Int) throws {
    var table = try CeremonyTable(threshold: 2, members: 3, splitting: place >= 5 ? KeyPair.random() : nil)
    let bytes: (inout [UInt8]) -> Void = { $0[$0.count - 1] ^= 1 }
    table.change = { message, from in
      var content = message.content
      switch (content, place) {
      case (.contribution(var said), 0) where from == 1: bytes(&said); content = .contribution(said)
      case (.signature(var said), 1) where from == 1: bytes(&said); content = .signature(said)
      case (.sum(var said), 2): bytes(&said); content = .sum(said)
      case (.certificate(var said), 3): bytes(&said); content = .certificate(said)
      case (.stored, 4) where from == 1: content = .stored(.fresh())
      case (.share(let share, _), 5):
        let other = try? TrustedDealer.split(KeyPair.random().secretKey(), threshold: 2, members: 3)
        if let other { content = .share(share, other.commitment) }
      case (.agreed, 6) where from == 1: content = .agreed(.fresh())
      default: break
      }
      return CeremonyMessage(message.ceremony, content)
    }
    try table.run(reminders: 20)
    #expect(!table.seats.contains { $0.mayUse })
    #expect(table.seats.allSatisfy { $0.ended == .faulty || ($0.ended == nil && place == 3) }, "\(table.seats.map(\.ended))")
    if [1, 4, 6].contains(place) { #expect(table.seats[0].blamed == 1) }
  }

  @Test("An invitation is good for one member, and nobody without one takes part") func invitations() throws {
    var table = try CeremonyTable(threshold: 2, members: 3)
    let stranger = try KeyPair.random().publicKey
    var thief = try CeremonyGuest(table.host.invitations[0], key: stranger)
    let joined = try #require(table.guests[0].message)
    let first = try table.host.receive(joined, from: table.keys[1].publicKey)
    #expect(first.isEmpty && table.host.joined == 1)
    let refused = try table.host.receive(try #require(thief.message), from: stranger)
    guard case .send(let message, let to)? = refused.first, to == stranger else { throw CosignError.faulty }
    guard case .end(.spent)? = try thief.receive(message) else { throw CosignError.faulty }
    #expect(thief.message == nil && table.host.joined == 1)
    let guess = CeremonyMessage(joined.ceremony, .join(secret: .fresh(), hostKey: [2] + Bytes32.fresh().array))
    #expect(error { _ = try table.host.receive(guess, from: stranger) } == .stranger)
    #expect(
      error { _ = try table.host.receive(CeremonyMessage(joined.ceremony, .stored(.fresh())), from: stranger) } == .stranger)
    let other = CeremonyMessage(.fresh(), .ended(.calledOff))
    #expect(error { _ = try table.host.receive(other, from: table.keys[1].publicKey) } == .otherGroup)
    #expect(error { _ = try table.guests[0].receive(other) } == .otherGroup)
    try table.run()
    #expect(table.seats.allSatisfy { $0.mayUse })
  }

  @Test("Who calls it off ends it for all, and who is done stays so") func calledOff() throws {
    var table = try CeremonyTable(threshold: 2, members: 3)
    let said = table.guests[1].callOff()
    let farewell = try #require(said)
    let again = table.guests[1].callOff()
    #expect(again == nil)
    let first = try table.host.receive(try #require(table.guests[0].message), from: table.keys[1].publicKey)
    #expect(first.isEmpty)
    #expect(error { _ = try table.host.receive(farewell, from: table.keys[2].publicKey) } == .stranger, "it never joined")
    let told = table.host.callOff()
    #expect(told.count == 2)
    guard case .send(let message, _) = told[0] else { throw CosignError.faulty }
    guard case .end(.calledOff)? = try table.guests[0].receive(message) else { throw CosignError.faulty }
    let more = table.host.callOff()
    #expect(more.isEmpty)
    var done = try CeremonyTable(threshold: 2, members: 2)
    try done.run()
    let late = (done.host.callOff(), done.guests[0].callOff())
    #expect(late.0.isEmpty && late.1 == nil)
  }

  @Test("A plan without this guest, or of another host, is not followed") func otherPlans() throws {
    for place in 0..<2 {
      var table = try CeremonyTable(threshold: 2, members: 3)
      let fresh = CeremonyPlan.Participant(
        key: try KeyPair.random().publicKey, hostKey: try KeyPair.random().secretKey().compressedPublicKey().bytes)
      table.change = { message, _ in
        guard case .plan(let plan) = message.content else { return message }
        var members = plan.members
        members[place] = fresh
        let other = try? CeremonyPlan(
          ceremony: plan.ceremony, name: plan.name, way: plan.way, threshold: plan.threshold, members: members)
        return other.map { CeremonyMessage(message.ceremony, .plan($0)) }
      }
      try table.run(reminders: 10)
      #expect(table.seats[1].ended == .faulty && !table.seats.contains { $0.mayUse })
    }
  }

  @Test("Plans that differ in anything have other words to compare") func hashes() throws {
    let ceremony = Bytes32.fresh()
    let members = try (0..<4).map { _ in
      CeremonyPlan.Participant(
        key: try KeyPair.random().publicKey, hostKey: try KeyPair.random().secretKey().compressedPublicKey().bytes)
    }
    func plan(
      _ members: [CeremonyPlan.Participant], _ ceremony: Bytes32 = ceremony, _ name: String = "a",
      _ way: CeremonyPlan.Way = .dealt,
      _ threshold: Int = 2
    ) throws(CosignError) -> Bytes32 {
      try CeremonyPlan(ceremony: ceremony, name: name, way: way, threshold: threshold, members: members).hash
    }
    let three = Array(members.prefix(3))
    let hashes = [
      try plan(three), try plan(three, .fresh()), try plan(three, ceremony, "b"), try plan(three, ceremony, "a", .generated),
      try plan(three, ceremony, "a", .dealt, 3), try plan(members), try plan(Array(members.dropFirst())),
      try plan(three.reversed()),
      try plan([.init(key: three[0].key, hostKey: members[3].hostKey)] + three.dropFirst()),
    ]
    #expect(Set(hashes).count == hashes.count)
    for (threshold, count) in [(1, 3), (4, 3), (2, 1), (0, 2)] {
      #expect(error { _ = try plan(Array(members.prefix(count)), ceremony, "a", .dealt, threshold) } == .badGroup)
    }
    #expect(error { _ = try plan(three, ceremony, "") } == .badGroup)
    #expect(error { _ = try plan([members[0], members[0]]) } == .badGroup)
  }

  @Test("What cannot be an invitation is none", arguments: 0..<9) func badInvitations(place: Int) throws {
    let good = try CeremonyInvitation(
      host: KeyPair.random().publicKey, ceremony: .fresh(), secret: .fresh(),
      relays: ["wss://relay.example/a?b=c", "ws://[::1]:7"])
    #expect(CeremonyInvitation(good.text) == good)
    let text = good.text
    let bad = [
      "", "cosign://", text.replacing("cosign", with: "bunker"), text.replacing(good.secret.hex, with: "00"),
      text.replacing("ceremony=", with: "other="), text + "&secret=" + good.secret.hex,
      String(text.prefix { $0 != "?" }), text + "&relay=" + String(repeating: "x", count: 2_048),
      text.replacing("&relay=wss://relay.example/a?b=c&relay=ws://[::1]:7", with: ""),
    ]
    #expect(CeremonyInvitation(bad[place]) == nil)
  }

  @Test("Invitations name at least one relay, and none that could not be read back") func relaysOfInvitations() throws {
    for relays in [
      [], ["ws://a&b"], ["ws://a b"], ["ws://a#b"], Array(repeating: "ws://a", count: 9), [String(repeating: "x", count: 2_000)],
    ] {
      #expect(
        error {
          _ = try CeremonyHost(
            name: "x", way: .generated, threshold: 2, members: 3, key: KeyPair.random().publicKey, relays: relays)
        } == .badGroup)
    }
  }

  @Test("Messages that are no messages are told by what is wrong in them") func malformed() throws {
    let ceremony = Bytes32.fresh().hex
    for (text, wrong) in [
      ("[]", "message"), ("{\"v\":2}", "v"), ("{\"v\":1}", "ceremony"), ("{\"v\":1,\"ceremony\":\"\(ceremony)\"}", "type"),
      ("{\"v\":1,\"ceremony\":\"\(ceremony)\",\"type\":\"join\"}", "secret"),
      ("{\"v\":1,\"ceremony\":\"\(ceremony)\",\"type\":\"sum\",\"bytes\":\"\"}", "bytes"),
      ("{\"v\":1,\"ceremony\":\"\(ceremony)\",\"type\":\"ended\",\"reason\":\"x\"}", "reason"),
      (
        "{\"v\":1,\"ceremony\":\"\(ceremony)\",\"type\":\"share\",\"share\":\"\(String(repeating: "0", count: 64))\",\"member\":1}",
        "share"
      ),
      ("{\"v\":1,\"ceremony\":\"\(ceremony)\",\"type\":\"share\",\"share\":\"01\",\"member\":99}", "member"),
    ] { #expect(error { _ = try CeremonyMessage(parsing: Array(text.utf8)) } == .malformed(wrong: wrong)) }
  }

  @Test("Messages of a ceremony travel sealed, and their writer is known") func envelopes() throws {
    let (writer, reader) = (try KeyPair.random(), try KeyPair.random())
    let message = CeremonyMessage(.fresh(), .ended(.calledOff))
    let event = try CosignEnvelope.seal(message, by: writer, for: reader.publicKey, now: 5_000_000)
    let opened = try CosignEnvelope.open(event, with: reader, now: 5_000_010)
    #expect(opened.from == writer.publicKey && opened.json == message.json())
    #expect(error { _ = try CosignEnvelope.open(event, with: reader, now: 5_000_001 + CosignEnvelope.longestAge) } == .expired)
    #expect(error { _ = try CosignEnvelope.open(event, with: writer, now: 5_000_010) } == .notSealed)
  }
}
