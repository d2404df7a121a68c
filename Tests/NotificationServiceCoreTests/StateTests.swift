import Curve
import Encodings
import Nostr
import NotificationServiceSupport
import RemoteSigning
import SecretMemory
import TestSupport
import Testing

@testable import NotificationServiceCore

@Suite("What the app hands to its extension") struct StateTests {
  private let scene: Scene
  private let phone: Phone

  init() throws {
    scene = try Scene()
    phone = scene.phone
  }

  private func fill() throws {
    var grant = Grant(trust: .full, limits: RequestLimits(perDay: 3))
    grant.isSuspended = true
    _ = try phone.pair("Coracle", grant)
    _ = try phone.link()
    let (ended, locked) = (try KeyPair.random(), try KeyPair.random())
    phone.state.ended = [
      .init(EndedPairing(remoteSigner: ended.publicKey, client: nil, relays: [Phone.relay], endedAt: 5), signer: ended)
    ]
    phone.state.identities += [
      .init(name: "bänk", publicKey: locked.publicKey, hold: .locked),
      .init(name: "", publicKey: ended.publicKey, hold: .presence),
      .init(name: "old", publicKey: locked.publicKey, hold: .retired),
    ]
    phone.state.settings.followShare = 7
    (phone.state.isSuspended, phone.state.acceptsNIP04, phone.state.ownersRelays) = (true, false, [Phone.relay])
    phone.state.usage = [ended.publicKey: Usage(windows: [.day: .init(startedAt: 3, count: 2)])]
    let place = SignedCoordinate(identity: locked.publicKey, kind: 3).closed(upTo: 9)
    phone.state.signed = [SignedCoordinate.id(identity: locked.publicKey, kind: 3): place]
    phone.state.waiting = [
      PendingRequest(
        name: "0a1b2c3d", remoteSigner: ended.publicKey, client: locked.publicKey, identity: locked.publicKey, method: .signEvent,
        parameters: [Array(template().utf8)], kind: 1, rule: .lowTrust, eventID: .init(), receivedAt: 4,
        replies: [ReplyAddress(requestID: Array(#""x""#.utf8), envelope: .nip44)])
    ]
    phone.state.seen = [.init(id: .init(), createdAt: -1), .init(id: ended.publicKey.bytes, createdAt: .max)]
  }

  @Test("Everything in a state is read as it was written") func roundTrip() throws {
    try fill()
    let id = phone.identity.publicKey.bytes
    let (read, journal) = try ExtensionState.open(try phone.state.sealed(with: phone.key, journal: id), with: phone.key)
    #expect(journal == id && read.revision == phone.state.revision && read.writtenAt == phone.state.writtenAt)
    #expect(read.identities.map(\.name) == ["main", "bänk", "", "old"])
    guard case .open(let key) = read.identities[0].hold, case .locked = read.identities[1].hold,
      case .presence = read.identities[2].hold, case .retired = read.identities[3].hold
    else { return #expect(Bool(false), "the holds are the same") }
    #expect(key.publicKey == phone.identity.publicKey)
    #expect(
      read.pairings.map(\.value) == phone.state.pairings.map(\.value) && read.links.map(\.value) == phone.state.links.map(\.value)
    )
    #expect(read.pairings.map(\.signer.publicKey) == phone.state.pairings.map(\.signer.publicKey))
    #expect(read.ended.map(\.value) == phone.state.ended.map(\.value) && read.settings == phone.state.settings)
    #expect(read.isSuspended && !read.acceptsNIP04 && read.ownersRelays == [Phone.relay])
    #expect(read.usage == phone.state.usage && read.signed == phone.state.signed && read.waiting == phone.state.waiting)
    #expect(read.seen == phone.state.seen)
  }

  @Test("A changed, cut or lengthened state is refused, whatever byte it is") func flipped() throws {
    try fill()
    let sealed = try phone.state.sealed(with: phone.key, journal: .init())
    for place in sealed.indices {
      var changed = sealed
      changed[place] ^= 0x40
      #expect(throws: ExtensionError.self, "byte \(place)") { try ExtensionState.open(changed, with: phone.key) }
    }
    for length in stride(from: 0, to: sealed.count, by: 37) {
      #expect(throws: ExtensionError.self) { try ExtensionState.open(Array(sealed.prefix(length)), with: phone.key) }
    }
    #expect(throws: ExtensionError.notAuthentic(.state)) { try ExtensionState.open(sealed + [0], with: phone.key) }
    #expect(throws: ExtensionError.notAuthentic(.state)) { try ExtensionState.open(sealed, with: try ExtensionKey.random()) }
  }

  @Test("Plaintexts that no state has are refused, without a trap") func malformed() throws {
    try fill()
    var whole: [UInt8] = []
    // The plaintext of a state, by its own writer: with an identity whose key is another one's.
    let stranger = try KeyPair.random()
    phone.state.identities.append(.init(name: "x", publicKey: stranger.publicKey, hold: .open(phone.identity)))
    let sealed = try phone.state.sealed(with: phone.key, journal: .init())
    #expect(throws: ExtensionError.malformed(.state)) { try ExtensionState.open(sealed, with: phone.key) }
    for seed in 0..<2_000 {
      whole = (0..<(seed % 200)).map { _ in UInt8.random(in: 0...255) }
      if whole.count > 60 { whole[48] = UInt8(seed % 4); whole[49] = UInt8(seed % 12); whole[50] = 0; whole[51] = 0 }
      _ = try whole.withUnsafeBytes { bytes in
        var reader = StateReader(bytes)
        return try reader.state() == nil
      }
    }
  }

  @Test("An older state that is put back is noticed by the journal") func olderState() throws {
    var app = try phone.pair("Coracle")
    try phone.handOver()
    let old = try scene.bytes("state")
    phone.state.revision = try phone.takeBack().nextRevision
    phone.state.pairings[0] = .init(phone.state.pairings[0].value, signer: phone.state.pairings[0].signer)
    try phone.handOver()
    try scene.home.write(old, to: "state")
    let outcome = try scene.sign(&app)
    #expect(outcome.result == .failed && outcome.fault == .files(.olderState))
    #expect(phone.relays.published.isEmpty)
  }

  @Test("A state must be newer than the journal") func revision() throws {
    try phone.handOver()
    try phone.takeBack()
    #expect(throws: ExtensionError.olderState) { try phone.handOver() }
  }

  @Test("A state that is too long is not written") func tooLong() throws {
    phone.state.seen = (0..<60_000).map { .init(id: .init(), createdAt: Int64($0)) }
    #expect(throws: ExtensionError.tooLong(.state, limit: ExtensionState.longest)) { try phone.handOver() }
    #expect(scene.home.files().sorted() == ["lock"])
  }

  @Test("Files are the owner's only, and hold no key, name or text in clear") func secrecy() throws {
    var app = try phone.pair("Coracle-canary", Grant(trust: .low))
    try phone.handOver()
    _ = try scene.sign(&app, template(content: "content-canary"))
    for file in ["state", "journal"] {
      #expect(try scene.home.mode(file) == 0o600)
      let text = String(decoding: try scene.bytes(file), as: UTF8.self)
      for canary in ["canary", phone.identity.publicKey.hex, try #require(app.remoteSigner).hex] {
        #expect(!text.contains(canary))
      }
      #expect(try !scene.bytes(file).contains(subsequence: phone.identity.secretKey().withBytes { [UInt8]($0) }))
    }
    #expect(try scene.home.mode() == 0o700)
  }

  @Test("The key has 32 bytes") func keyLength() throws {
    #expect(throws: ExtensionError.keyLength(31)) { try ExtensionKey(try SecretBytes(randomCount: 31)) }
    let copy = try ExtensionKey(try phone.key.bytes())
    let sealed = try phone.state.sealed(with: phone.key, journal: .init())
    #expect(try ExtensionState.open(sealed, with: copy).state.revision == 1)
  }
}

extension [UInt8] {
  fileprivate func contains(subsequence: [UInt8]) -> Bool {
    indices.contains { self[$0...].starts(with: subsequence) }
  }
}
