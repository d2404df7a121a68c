import Curve
import Guardians
import Nostr

extension FuzzTarget {
  /// Gift wraps and what guardians say in them: the first byte chooses whether the rest is the wrap itself, what is inside a right wrap,
  /// what is inside a right seal, the content of a right rumor, or a message alone.
  static let wraps = FuzzTarget("wraps") { (bytes) throws(FuzzFault) in
    guard let first = bytes.first else { return }
    let text = Array(bytes.dropFirst())
    switch first % 5 {
    case 0: if let event = try? Event(parsing: text) { try open(event) }
    case 1: try open(try sealed(text, NIP59.wrapKind, by: Keys.pair(3)))
    case 2:
      let seal = try sealed(text, NIP59.sealKind, by: Keys.alice)
      try open(try sealed(seal.json(), NIP59.wrapKind, by: Keys.pair(3)))
    case 3:
      let said = UnsignedEvent(
        pubkey: Keys.alice.publicKey, createdAt: 1_700_000_000, kind: 4139, tags: [],
        content: String(decoding: text, as: UTF8.self))
      let wrap = try unfailing("a rumor is wrapped") { () throws(WrapError) in
        try NIP59.wrap(
          Rumor(said), by: Keys.alice, for: Keys.bob.publicKey, times: .init(seal: 1, wrap: 2), wrapper: Keys.pair(3))
      }
      let rumor = try unfailing("and opened") { () throws(WrapError) in try NIP59.open(wrap, with: Keys.bob) }
      try require(rumor.id == said.id(), "a rumor survives its wraps")
    default:
      guard let again = GuardianMessageInput.rewritten(String(decoding: text, as: UTF8.self)) else { return }
      try require(GuardianMessageInput.rewritten(again) == again, "a guardian's message survives a round trip")
    }
  }

  private static func open(_ wrap: Event) throws(FuzzFault) {
    guard let rumor = try? NIP59.open(wrap, with: Keys.bob) else { return }
    try require(wrap.kind == NIP59.wrapKind, "only a wrap is opened")
    _ = GuardianMessageInput.rewritten(rumor.event.content)
  }

  /// An event by somebody that holds any bytes for bob.
  private static func sealed(_ text: [UInt8], _ kind: Int, by key: KeyPair) throws(FuzzFault) -> Event {
    do {
      // Without a byte there is nothing to encrypt.
      let inside = text.isEmpty ? [0x20] : text
      let content = String(
        decoding: try NIP44.encrypt(inside, with: ConversationKey(key, Keys.bob.publicKey)), as: UTF8.self)
      return try UnsignedEvent(pubkey: key.publicKey, createdAt: 1, kind: kind, tags: [], content: content).signed(by: key)
    } catch { throw FuzzFault("bytes are sealed: \(error)") }
  }
}
