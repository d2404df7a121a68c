import Nostr
import SecretMemory

extension FuzzTarget {
  /// NIP-19 and NIP-49: the input as text, and the input as the bytes inside a text whose checksum is right.
  static let entities = FuzzTarget("entities") { (bytes) throws(FuzzFault) in
    try read(bytes)
    var feed = ByteFeed(bytes)
    let prefix = prefixes[feed.index(below: prefixes.count)]
    var inside = feed.remaining()
    let text = PlainBech32.text(prefix, inside)
    try text.withUnsafeBufferPointer { (text) throws(FuzzFault) in
      let text = UnsafeRawBufferPointer(text)
      try sameInside(text, prefix, inside)
      try read(text)
    }
    // A well-formed NIP-49 header with a cost of two rounds at most, so that no time goes into scrypt.
    inside = [2, (inside.first ?? 0) & 1] + inside.prefix(89) + [UInt8](repeating: 0, count: 89 - min(89, inside.count))
    try PlainBech32.text("ncryptsec", inside).withUnsafeBufferPointer { (text) throws(FuzzFault) in
      let found = try? NIP49.header(of: UnsafeRawBufferPointer(text))
      try require(found == nil || found?.logN == Int(inside[1]), "the cost is the one that was written")
      try decrypt(UnsafeRawBufferPointer(text))
    }
  }

  private static let prefixes = ["npub", "note", "nprofile", "nevent", "naddr", "nsec", "ncryptsec", "nrelay", "x"]

  private static func read(_ text: UnsafeRawBufferPointer) throws(FuzzFault) {
    if let entity = try? NIP19(parsing: text) {
      let written = try unfailing("a read entity is written") { () throws(EntityError) in try entity.text() }
      let again = try unfailing("a written entity is read") { () throws(EntityError) in try NIP19(parsing: written) }
      try require(again == entity, "an entity survives a round trip")
      let rewritten = try unfailing("it is written again") { () throws(EntityError) in try again.text() }
      try require(rewritten == written, "writing gives the same text twice")
    }
    do {
      let key = try NIP19.secretKey(parsing: text)
      let written = try NIP19.text(of: key).withBytes { Array($0) }
      try require(written == text.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }, "an nsec has one text")
    } catch let fault as FuzzFault { throw fault } catch {}
    _ = PublicKeyText.read(text)
    try decrypt(text)
  }

  // A limit of 1: two rounds of scrypt in 2 KiB.
  private static func decrypt(_ text: UnsafeRawBufferPointer) throws(FuzzFault) {
    _ = try? NIP49.header(of: text)
    let password: StaticString = "pw"
    do {
      _ = try NIP49.decrypt(
        text, password: UnsafeRawBufferPointer(start: password.utf8Start, count: password.utf8CodeUnitCount), limit: 1)
    } catch {}
  }

  private static func sameInside(_ text: UnsafeRawBufferPointer, _ prefix: String, _ inside: [UInt8]) throws(FuzzFault) {
    let isSame = try? Bech32.withBytes(in: text, limit: NIP19.longestText) { name, bytes in
      name.elementsEqual(prefix.utf8) && bytes.elementsEqual(inside)
    }
    try require(isSame ?? (text.count > NIP19.longestText), "two ways to bech32 agree")
  }
}
