import Curve
import Encodings
import Nostr
import TestSupport
import Testing

@Suite struct NIP59Tests {
  let author: KeyPair
  let reader: KeyPair
  let stranger: KeyPair

  init() throws {
    author = try KeyPair(SecretKey.random())
    reader = try KeyPair(SecretKey.random())
    stranger = try KeyPair(SecretKey.random())
  }

  private func rumor(_ content: String = "hello", by key: KeyPair? = nil) -> Rumor {
    Rumor(
      UnsignedEvent(
        pubkey: (key ?? author).publicKey, createdAt: 1_700_000_000, kind: 14, tags: [["p", reader.publicKey.hex]],
        content: content))
  }

  private func wrapped(_ content: String = "hello") throws -> Event {
    try NIP59.wrap(
      rumor(content), by: author, for: reader.publicKey, times: .init(seal: 1_699_990_000, wrap: 1_699_980_000),
      wrapper: try KeyPair(SecretKey.random()))
  }

  /// A wrap around any text in the place of a seal.
  private func wrap(around text: [UInt8]) throws -> Event {
    let once = try KeyPair(SecretKey.random())
    let content = String(decoding: try NIP44.encrypt(text, with: ConversationKey(once, reader.publicKey)), as: UTF8.self)
    return try UnsignedEvent(
      pubkey: once.publicKey, createdAt: 1, kind: NIP59.wrapKind, tags: [["p", reader.publicKey.hex]], content: content
    ).signed(by: once)
  }

  /// A seal by `key` around any text in the place of a rumor.
  private func seal(by key: KeyPair, around text: [UInt8], kind: Int = NIP59.sealKind, tags: [[String]] = []) throws -> [UInt8] {
    let content = String(decoding: try NIP44.encrypt(text, with: ConversationKey(key, reader.publicKey)), as: UTF8.self)
    return try UnsignedEvent(pubkey: key.publicKey, createdAt: 1, kind: kind, tags: tags, content: content).signed(by: key).json()
  }

  @Test("The recipient reads what the author wrote") func theReaderReadsWhatTheAuthorWrote() throws {
    let event = try wrapped("grüße 🎁")
    #expect(event.kind == 1059 && event.tagValues("p") == [reader.publicKey.hex] && event.createdAt == 1_699_980_000)
    #expect(event.pubkey != author.publicKey && !event.content.contains("hello"))
    let opened = try NIP59.open(event, with: reader)
    #expect(opened.event.content == "grüße 🎁" && opened.event.pubkey == author.publicKey && opened.id == rumor("grüße 🎁").id)
  }

  @Test("Only the recipient can open a gift wrap") func nobodyElseOpensIt() throws {
    let event = try wrapped()
    #expect(throws: WrapError.notOpened) { try NIP59.open(event, with: stranger) }
    #expect(throws: WrapError.notOpened) { try NIP59.open(event, with: author) }
  }

  @Test("A seal in another author's name is refused") func whoSealsInAnothersNameIsRefused() throws {
    #expect(throws: WrapError.otherAuthor) {
      try NIP59.wrap(rumor(), by: stranger, for: reader.publicKey, times: .init(seal: 1, wrap: 1), wrapper: stranger)
    }
    let forged = try wrap(around: seal(by: stranger, around: rumor().json()))
    #expect(throws: WrapError.otherAuthor) { try NIP59.open(forged, with: reader) }
  }

  @Test("A gift wrap without a valid seal inside is refused") func whatIsNoSealIsRefused() throws {
    for inside in [
      Array("x".utf8), rumor().json(), try seal(by: author, around: rumor().json(), kind: 1),
      try seal(by: author, around: rumor().json(), tags: [["p", reader.publicKey.hex]]),
    ] {
      let event = try wrap(around: inside)
      #expect(throws: WrapError.notASeal) { try NIP59.open(event, with: reader) }
    }
  }

  @Test("A seal is verified, and an altered seal is refused") func aSealThatWasChangedIsRefused()
    throws
  {
    let whole = try Event(parsing: seal(by: author, around: rumor().json()))
    let dated = Event(
      id: whole.id, pubkey: whole.pubkey, createdAt: whole.createdAt + 1, kind: whole.kind, tags: whole.tags,
      content: whole.content, signature: whole.signature)
    let unsigned = Event(
      id: whole.id, pubkey: whole.pubkey, createdAt: whole.createdAt, kind: whole.kind, tags: whole.tags, content: whole.content,
      signature: Signature(r: whole.signature.r, s: .fresh()))
    for changed in [dated, unsigned] {
      let event = try wrap(around: changed.json())
      #expect(throws: WrapError.notASeal) { try NIP59.open(event, with: reader) }
    }
    #expect(try NIP59.open(wrap(around: whole.json()), with: reader).event.content == "hello")
  }

  @Test("A rumor that is signed, malformed or has a wrong id is refused") func aSignedRumorAndAWrongIDAreRefused() throws {
    let signed = try rumor().event.signed(by: author).json()
    let withSignature = try wrap(around: seal(by: author, around: signed))
    #expect(throws: WrapError.signedRumor) { try NIP59.open(withSignature, with: reader) }
    let text = String(decoding: rumor().json(), as: UTF8.self).replacing(rumor().id.hex, with: rumor("other").id.hex)
    let wrongID = try wrap(around: seal(by: author, around: Array(text.utf8)))
    #expect(throws: WrapError.wrongID) { try NIP59.open(wrongID, with: reader) }
    let broken = try wrap(around: seal(by: author, around: Array("{\"kind\":1}".utf8)))
    #expect(throws: WrapError.malformed) { try NIP59.open(broken, with: reader) }
  }

  @Test("A gift wrap that is forged, too long or of another kind is refused")
  func anotherKindAForgedSignatureAndATooLongOneAreRefused() throws {
    let event = try wrapped()
    let other = Event(
      id: event.id, pubkey: event.pubkey, createdAt: event.createdAt, kind: 1, tags: event.tags, content: event.content,
      signature: event.signature)
    #expect(throws: WrapError.notAWrap) { try NIP59.open(other, with: reader) }
    let moved = Event(
      id: event.id, pubkey: event.pubkey, createdAt: event.createdAt + 1, kind: 1059, tags: event.tags, content: event.content,
      signature: event.signature)
    #expect(throws: WrapError.notAWrap) { try NIP59.open(moved, with: reader) }
    let long = Event(
      id: event.id, pubkey: event.pubkey, createdAt: 1, kind: 1059, tags: [],
      content: String(repeating: "A", count: NIP59.longestContent + 1), signature: event.signature)
    #expect(throws: WrapError.tooLong(limit: NIP59.longestContent)) { try NIP59.open(long, with: reader) }
  }

  @Test("The times of seal and gift wrap are up to two days back") func timesAreUpToTwoDaysBack() {
    var random = Repeatable.announced()
    var (seals, wraps): (Set<Int64>, Set<Int64>) = ([], [])
    for _ in 0..<200 {
      let times = NIP59.Times(before: 1_700_000_000, using: &random)
      for time in [times.seal, times.wrap] { #expect((1_699_827_200...1_700_000_000).contains(time)) }
      seals.insert(times.seal)
      wraps.insert(times.wrap)
    }
    #expect(seals.count > 100 && wraps.count > 100, "no time says when the message was written")
  }
}
