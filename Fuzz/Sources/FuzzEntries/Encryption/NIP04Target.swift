import Curve
import Encodings
import Nostr

extension FuzzTarget {
  /// NIP-04: anything as a payload, and one that was really encrypted, whole and changed. Nothing is authenticated here, so a changed
  /// one may decrypt to rubbish; it must not do worse.
  static let nip04 = FuzzTarget("nip04") { (bytes) throws(FuzzFault) in
    var feed = ByteFeed(bytes)
    guard feed.bool() else {
      let payload = feed.remaining()
      _ = Insecure.NIP04.isPayload(payload)
      if let text = try? Insecure.NIP04.decrypt(payload, with: key, limit: limit) {
        try require(text.count <= limit + 16, "no more text than the limit, to the next block")
      }
      return
    }
    let change = (place: Int(feed.int16().magnitude), byte: feed.byte())
    let text = feed.remaining()
    var payload = try unfailing("text is encrypted") { () throws(EncryptionError) in try Insecure.NIP04.encrypt(text, with: key) }
    try require(Insecure.NIP04.isPayload(payload), "a payload looks like one")
    let opened = try unfailing("the text comes back") { () throws(EncryptionError) in
      try Insecure.NIP04.decrypt(payload, with: peersKey, limit: max(text.count, limit))
    }
    try require(opened == text, "the peer reads what was written")
    payload[change.place % payload.count] = change.byte
    _ = try? Insecure.NIP04.decrypt(payload, with: key, limit: limit)
    let bare = Base64.encode(text) + Array("?iv=".utf8) + Base64.encode([UInt8](repeating: 9, count: 16))
    _ = try? Insecure.NIP04.decrypt(bare, with: key, limit: limit)
  }

  private static let limit = 4096
  private static let key: Insecure.NIP04.Key = try! .init(Keys.alice, Keys.bob.publicKey)  // two points of the curve
  private static let peersKey: Insecure.NIP04.Key = try! .init(Keys.bob, Keys.alice.publicKey)  // two points of the curve
}
