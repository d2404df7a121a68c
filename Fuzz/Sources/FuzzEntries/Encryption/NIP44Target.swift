import Ciphers
import Curve
import Encodings
import Nostr

extension FuzzTarget {
  /// NIP-44: anything as a payload; a payload that was really encrypted, whole and changed; and one whose code is right while the
  /// padded text inside is the input's own.
  static let nip44 = FuzzTarget("nip44") { (bytes) throws(FuzzFault) in
    var feed = ByteFeed(bytes)
    switch feed.index(below: 3) {
    case 0: try rawPayload(feed.remaining())
    case 1: try realPayload(&feed)
    default: try forgedPadding(feed.remaining())
    }
  }

  private static let limit = 4096

  private static let key: ConversationKey = try! ConversationKey(Keys.alice, Keys.bob.publicKey)  // two points of the curve
  private static let peersKey: ConversationKey = try! ConversationKey(Keys.bob, Keys.alice.publicKey)  // two points of the curve

  private static func rawPayload(_ payload: [UInt8]) throws(FuzzFault) {
    try require((try? NIP44.decrypt(payload, with: key, limit: limit)) == nil, "nobody guesses a code")
  }

  private static func realPayload(_ feed: inout ByteFeed) throws(FuzzFault) {
    let (place, bit) = (Int(feed.int16().magnitude), feed.index(below: 8))
    let text = feed.remaining()
    guard !text.isEmpty else { return }
    var payload = try unfailing("text is encrypted") { () throws(EncryptionError) in try NIP44.encrypt(text, with: key) }
    let opened = try unfailing("the peer decrypts") { () throws(EncryptionError) in
      try NIP44.decrypt(payload, with: peersKey, limit: text.count)
    }
    try require(opened == text, "the peer reads what was written")
    try require((try? NIP44.decrypt(payload, with: key, limit: text.count - 1)) == nil, "the limit holds")
    payload[place % payload.count] ^= 1 << bit
    try require((try? NIP44.decrypt(payload, with: key, limit: limit)) == nil, "a flipped bit is refused")
  }

  private static func forgedPadding(_ inner: [UInt8]) throws(FuzzFault) {
    guard !inner.isEmpty else { return }
    let payload = Base64.encode(try message(around: inner))
    guard let text = try? NIP44.decrypt(payload, with: key, limit: limit) else { return }
    // NIP-44: two bytes of length, or two zeros and four bytes that could not be written in two.
    let short = Int(inner[0]) << 8 | Int(inner[1])
    let (prefix, length) = short > 0 ? (2, short) : (6, inner[2..<6].reduce(0) { $0 << 8 | Int($1) })
    try require(short > 0 || length >= 65536, "a length is written in the shorter form")
    try require(text == Array(inner[prefix..<(prefix + length)]), "the text is what stands behind its length")
    try require(inner.count - prefix >= 32 && text.count <= limit, "padding and limit hold")
  }

  /// A message with a right code: 2, nonce, ciphertext, code.
  private static func message(around inner: [UInt8]) throws(FuzzFault) -> [UInt8] {
    let nonce = [UInt8](repeating: 7, count: 32)
    return try unfailing("a message is made") { () throws(CipherError) in
      try nonce.withUnsafeBufferPointer { (nonce) throws(CipherError) in
        try key.withMessageKeys(nonce: UnsafeRawBufferPointer(nonce)) { (keys) throws(CipherError) in
          var ciphertext = inner
          try ciphertext.withUnsafeMutableBufferPointer { (text) throws(CipherError) in
            let text = UnsafeMutableRawBufferPointer(text)
            try ChaCha20.apply(
              key: UnsafeRawBufferPointer(rebasing: keys[0..<32]), nonce: UnsafeRawBufferPointer(rebasing: keys[32..<44]),
              to: UnsafeRawBufferPointer(text), into: text)
          }
          let covered = Array(nonce) + ciphertext
          let code = covered.withUnsafeBytes { HMACSHA256.code(key: UnsafeRawBufferPointer(rebasing: keys[44..<76]), $0) }
          return [2] + covered + code.array
        }
      }
    }
  }
}
