import Curve
import Encodings
import JSON
import Nostr
import RemoteSigning
import Testing

/// What a paired app gets for each kind of event, through the engine.
@Suite struct KindsUnderTrustTests {
  private func event(_ kind: Int, _ tags: [[String]] = [], _ content: String = "x", at time: Int64? = nil) -> String {
    let value: JSONValue = [
      "kind": .integer(Int64(kind)), "content": .string(content), "tags": .array(tags.map { .array($0.map { .string($0) }) }),
      "created_at": time.map { .integer($0) } ?? .null,
    ]
    return String(decoding: value.serialized(), as: UTF8.self)
  }

  /// The rule by which the last request waits. Nil when it was signed.
  private func rule(_ scene: Scene, _ app: App, _ method: String, _ parameters: [String]) throws -> Rule? {
    let seen = try scene.ask(app, method, parameters)
    if case .result = seen { return nil }
    guard seen == .waiting, let request = scene.engine.pendingRequests.last else { throw Scene.SceneError.notPaired }
    _ = scene.engine.withdrawPending(request.name)
    return request.rule
  }

  private static let asked: [(kind: Int, medium: Rule, full: Rule?)] = [
    (62, .vanish, .vanish), (9321, .walletKind, .walletKind), (10019, .walletKind, .walletKind), (10050, .protectedKind, nil),
    (23194, .walletKind, .walletKind), (23197, .walletKind, .walletKind), (24133, .keyHandling, .keyHandling),
    (24242, .fileLogin, .fileLogin), (8041, .succession, .succession), (7376, .walletKind, .walletKind),
    (13194, .walletKind, .walletKind), (443, .protectedKind, nil), (9005, .protectedKind, nil), (31990, .protectedKind, nil),
    (5, .protectedKind, nil), (30078, .protectedKind, nil), (12_345, .unknownKind, nil), (20_001, .unknownKind, nil),
    (27235, .webLogin, .webLogin), (22242, .relayLogin, nil),
  ]

  @Test("Events that spend, delete, log in or change the key's identity wait for the owner", arguments: asked)
  func guardedKindsWait(kind: Int, medium: Rule, full: Rule?) throws {
    for (trust, expected) in [(TrustLevel.medium, medium as Rule?), (.full, full)] {
      let scene = try Scene(trust: trust)
      let app = try scene.pairedApp()
      #expect(try rule(scene, app, "sign_event", [event(kind)]) == expected, "\(trust) kind \(kind)")
    }
  }

  @Test("Everyday events are signed under medium trust without asking")
  func ordinaryKindsAreSigned() throws {
    let scene = try Scene()
    let app = try scene.pairedApp()
    for kind in [1, 4, 6, 7, 13, 16, 1059, 1111, 1984, 9734, 10000, 10003, 30000, 30023, 30315] {
      #expect(try rule(scene, app, "sign_event", [event(kind)]) == nil, "kind \(kind)")
      scene.now += 10
    }
    let end = ["expiration", "\(scene.now + 86_400)"]
    #expect(try rule(scene, app, "sign_event", [event(24242, [["t", "upload"], ["x", "aa"], end])]) == nil)
  }

  @Test(
    "Below full trust, redirecting a post's zaps to others is asked every time, and those of a profile under full trust, too",
    arguments: [0, 1, 6, 30023, 30311, 30402])
  func zapSplits(kind: Int) throws {
    let other = try KeyPair.random().publicKey.hex
    for trust in TrustLevel.allCases {
      let scene = try Scene(trust: trust)
      let app = try scene.pairedApp()
      var grant = Grant(trust: trust)
      try grant.allow(Permission(.signEvent, kind: kind))
      #expect(scene.engine.update(scene.signer.publicKey, name: "app", grant: grant))
      let own = ["zap", scene.identity.publicKey.hex, "wss://a.example", "1"]
      for split in [["zap", other, "wss://a.example", "1"], ["zap"], ["zap", ""], ["zap", "npub1"]] {
        let asked = try rule(scene, app, "sign_event", [event(kind, [own, split])])
        #expect(asked == (trust == .full && kind != 0 ? nil : .zapSplit), "\(trust) \(split)")
        scene.now += 10
      }
      #expect(try rule(scene, app, "sign_event", [event(kind, [own, ["p", other]])]) == nil, "one's own are no split")
    }
  }

  @Test("An invoice in a job's result or feedback is asked, whoever made it", arguments: [6000, 6050, 6999, 7000])
  func invoicesOfJobs(kind: Int) throws {
    let scene = try Scene(trust: .medium)
    let app = try scene.pairedApp()
    let asked = try rule(scene, app, "sign_event", [event(kind, [["amount", "21000", "lnbc210n1other"]])])
    #expect(asked == .zapSplit)
    scene.now += 10
    #expect(try rule(scene, app, "sign_event", [event(kind, [["amount", "21000"]])]) == nil, "a price alone is none")
  }

  @Test("A deletion of one's profile or of a list is asked every time, whatever was granted") func listDeletions() throws {
    let other = try KeyPair.random().publicKey.hex
    let scene = try Scene(trust: .full)
    let app = try scene.pairedApp()
    var grant = Grant(trust: .full)
    try grant.allow(Permission(.signEvent, kind: 5))
    #expect(scene.engine.update(scene.signer.publicKey, name: "app", grant: grant))
    let own = scene.identity.publicKey.hex
    let lists = [
      ["a", "0:\(own):"], ["a", "3:\(own):"], ["a", "10002:\(own):"], ["a", "10000:\(own)"], ["a", "30003:\(own):books"],
      ["k", "0"], ["k", "3"], ["k", "10000"],
    ]
    for tag in lists {
      let asked = try rule(scene, app, "sign_event", [event(5, [["e", other], tag])])
      #expect(asked == .deletesList, "\(tag)")
      scene.now += 10
    }
    let posts = [["a", "30023:\(own):article"], ["a", "3:\(other):"], ["a", "3"], ["a"], ["k"], ["k", "1"], ["k", "x"]]
    for tag in posts {
      #expect(try rule(scene, app, "sign_event", [event(5, [["e", other], tag])]) == nil, "\(tag)")
      scene.now += 10
    }
    #expect(try rule(scene, app, "sign_event", [event(1, [["a", "3:\(own):"]])]) == nil, "a note may name a list")
  }

  @Test("A deletion that names the profile or a list by its id is asked every time, too") func deletionsByID() throws {
    let scene = try Scene(trust: .full)
    let app = try scene.pairedApp()
    let own = scene.identity.publicKey
    for kind in [EventKind.metadata, EventKind.follows, EventKind.relayList, EventKind.messageRelays] {
      var signed = SignedCoordinate(identity: own, kind: kind)
      let events = ["one", "two"].enumerated().map {
        EventTemplate(kind: kind, tags: [], content: $1).unsigned(by: own, now: scene.now - 100 + Int64($0))
      }
      for event in events { #expect(signed.add(event, isApproved: true, now: scene.now) == .fresh) }
      scene.engine.setKnown(signed)
      for id in events.map({ $0.id().hex }) {
        #expect(try rule(scene, app, "sign_event", [event(5, [["e", id]])]) == .deletesList, "\(kind)")
        scene.now += 10
      }
    }
    let note = EventTemplate(kind: 1, tags: [], content: "a note").unsigned(by: own, now: scene.now).id().hex
    for tag in [["e", note], ["e", "x"], ["e"]] {
      #expect(try rule(scene, app, "sign_event", [event(5, [tag])]) == nil, "\(tag)")
      scene.now += 10
    }
  }

  @Test("A list that would be left empty is asked every time, whatever was granted") func emptiedLists() throws {
    let scene = try Scene(trust: .full)
    let app = try scene.pairedApp()
    let list = ["d", "list"]
    for (kind, tags) in [
      (10000, []), (10003, [["alt", "bookmarks"]]), (10009, [["e"]]), (30000, [list, ["title", "Friends"]]), (10002, []),
    ] as [(Int, [[String]])] {
      #expect(try rule(scene, app, "sign_event", [event(kind, tags, "")]) == .deletesList, "\(kind)")
      scene.now += 10
    }
    let other = try KeyPair.random().publicKey.hex
    for (kind, tags, content) in [
      (10000, [["word", "spam"]], ""), (10000, [], "encrypted"), (30000, [list, ["p", other]], ""),
      (10015, [["t", "swift"]], ""),
      (39701, [["d", "example.com"], ["title", "One page"]], ""), (1, [], ""),
    ] as [(Int, [[String]], String)] {
      #expect(try rule(scene, app, "sign_event", [event(kind, tags, content)]) == nil, "\(kind)")
      scene.now += 10
    }
  }

  @Test("A file login that deletes, or that lasts until 2096, waits under every trust level")
  func fileLogins() throws {
    let scene = try Scene(trust: .full)
    let app = try scene.pairedApp()
    let end = ["expiration", "\(scene.now + 60)"]
    func ask(_ tags: [[String]]) throws -> Rule? { try rule(scene, app, "sign_event", [event(24242, tags)]) }
    #expect(try ask([["t", "delete"], ["x", "aa"], end]) == .fileDeletion)
    #expect(try ask([["t", "upload"], ["x", "aa"], ["expiration", "3976214400"]]) == .longLogin)
    #expect(try ask([["t", "upload"], ["x", "aa"]]) == .longLogin, "no end at all")
    #expect(try ask([["t", "upload"], ["x", "aa"], end, ["expiration", "3976214400"]]) == .longLogin, "two ends")
    #expect(try ask([["t", "upload"], ["t", "delete"], ["x", "aa"], end]) == .fileLogin, "two verbs")
    #expect(try ask([["t", "upload"], ["x", "aa"], ["expiration", "9223372036854775807"]]) == .longLogin)
    #expect(try ask([["t", "upload"], ["x", "aa"], end]) == nil)
  }

  @Test(
    "Reading what was encrypted to oneself waits under every trust, and can be allowed for a day at most",
    arguments: TrustLevel.allCases)
  func selfDecryptionWaits(trust: TrustLevel) throws {
    let scene = try Scene(trust: trust)
    let app = try scene.pairedApp()
    let own = scene.identity.publicKey
    let conversation = try ConversationKey(scene.identity, own)
    let payload = String(
      decoding: try Array("cashu tokens".utf8).withUnsafeBytes { try NIP44.encrypt($0, with: conversation) }, as: UTF8.self)
    let expected = Rule.selfDecryption
    #expect(try rule(scene, app, "nip44_decrypt", [own.hex, payload]) == expected)
    #expect(try rule(scene, app, "nip44_decrypt", [own.hex.uppercased(), payload]) == expected, "in capitals, too")
    let permission = Permission(.nip44Decrypt, scope: .counterparty(own))
    var grant = Grant(trust: trust)
    #expect(throws: GrantError.neverAlways(permission, longest: .day)) {
      try grant.set(.allow, permission, for: .week, of: own, at: scene.now)
    }
    try grant.set(.allow, permission, for: .day, of: own, at: scene.now)
    #expect(scene.engine.update(scene.signer.publicKey, name: "app", grant: grant))
    #expect(try scene.ask(app, "nip44_decrypt", [own.hex, payload]) == .result("cashu tokens"))
  }

  @Test("A relay that an app brought is not trusted; the owner's and the identity's own are")
  func anAppsRelayIsNotKnown() throws {
    let scene = try Scene()
    let app = try App(signer: scene.signer.publicKey)
    let link = "nostrconnect://\(app.key.publicKey.hex)?relay=wss%3A%2F%2Fevil.example&secret=abcdef&perms=sign_event"
    let offer = scene.engine.offer(
      try NostrConnectURI(parsing: link), identity: scene.identity.publicKey, trust: .medium,
      remoteSigner: scene.signer.publicKey,
      now: scene.now)
    #expect(!offer.pairing.hasOwnersRelays)
    scene.engine.add(offer.pairing, signer: scene.signer, now: scene.now)
    func login(_ relay: String) throws -> Rule? {
      try rule(scene, app, "sign_event", [event(22242, [["relay", relay], ["challenge", "c"]])])
    }
    #expect(try login("wss://evil.example") == .relayLogin)
    #expect(try login("wss://mine.example/") == .relayLogin)
    scene.engine.setOwnersRelays([RelayURL("wss://mine.example")!])
    #expect(try login("wss://mine.example/") == nil)
    scene.engine.setRelayList(kind: 10002, tags: [["r", "wss://listed.example"]], of: scene.identity.publicKey)
    scene.engine.setRelayList(kind: 10050, tags: [["relay", "wss://letters.example"]], of: scene.identity.publicKey)
    for relay in ["wss://listed.example", "wss://letters.example"] { #expect(try login(relay) == nil) }
    #expect(try login("wss://evil.example") == .relayLogin)
    #expect(try Pairing(record: offer.pairing.record) == offer.pairing)
  }

  @Test("An event dated in the future waits under every trust level and keeps its date when approved")
  func datedAheadWaits() throws {
    let scene = try Scene(trust: .full)
    let app = try scene.pairedApp()
    for kind in [0, 1, 3, 10003, 30023] {
      #expect(try rule(scene, app, "sign_event", [event(kind, at: 1 << 61)]) == .datedAhead, "kind \(kind)")
      #expect(try rule(scene, app, "sign_event", [event(kind, at: scene.now + 901)]) == .datedAhead, "kind \(kind)")
      #expect(try rule(scene, app, "sign_event", [event(kind, at: scene.now + 900)]) == nil, "kind \(kind)")
      #expect(try rule(scene, app, "sign_event", [event(kind, at: 0)]) == nil, "an old post brought along, kind \(kind)")
    }
    _ = try scene.ask(app, "sign_event", [event(1, at: scene.now + 100_000)])
    let request = try #require(scene.engine.pendingRequests.first)
    let exchange = try #require(scene.engine.answerPending(request.name, approve: true, now: scene.now))
    guard case .result(let text) = try scene.carryOut(exchange, app) else { throw Scene.SceneError.notPaired }
    #expect(try Event(parsing: Array(text.utf8)).createdAt == scene.now + 100_000)
  }
}
