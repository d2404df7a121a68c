import Mnemonics
import SecretMemory
import UnicodeNormalization

extension FuzzTarget {
  /// What a person types to import a key: words, an extended key, a path; and the normalisation that all text goes through.
  static let words = FuzzTarget("words") { (bytes) throws(FuzzFault) in
    try normalisation(bytes)
    try path(bytes)
    guard let text = secret(bytes) else { return }
    try sentence(text)
    try extendedKeys(text)
    try base58(bytes)
  }

  private static func secret(_ bytes: UnsafeRawBufferPointer) -> SecretBytes? {
    guard bytes.count > 0 else { return nil }
    do { return try SecretBytes(copying: bytes) } catch { return nil }
  }

  private static func array(_ secret: borrowing SecretBytes) -> [UInt8] { secret.withBytes { Array($0) } }

  private static func normalisation(_ bytes: UnsafeRawBufferPointer) throws(FuzzFault) {
    guard let once = normal(bytes, Normalization.nfkd) else { return }
    try require(String(validating: bytes, as: UTF8.self) != nil, "only UTF-8 is normalised")
    // What grew beyond the limit cannot go in again.
    if once.count <= Normalization.longestText {
      try require(once.withUnsafeBytes { normal($0, Normalization.nfkd) } == once, "what is normal stays as it is")
    }
    guard let composed = normal(bytes, Normalization.nfkc), composed.count <= Normalization.longestText else { return }
    try require(composed.withUnsafeBytes { normal($0, Normalization.nfkc) } == composed, "what is normal stays as it is")
  }

  private static func normal(
    _ bytes: UnsafeRawBufferPointer, _ form: (UnsafeRawBufferPointer) throws(NormalizationError) -> SecretBytes
  ) -> [UInt8]? {
    do { return array(try form(bytes)) } catch { return nil }
  }

  private static func path(_ bytes: UnsafeRawBufferPointer) throws(FuzzFault) {
    guard let path = try? DerivationPath(parsing: String(decoding: bytes, as: UTF8.self)) else { return }
    try require((try? DerivationPath(parsing: path.description)) == path, "a path survives a round trip")
  }

  private static func sentence(_ text: borrowing SecretBytes) throws(FuzzFault) {
    do throws(MnemonicError) {
      let mnemonic = try Mnemonic(words: text)
      let words = try mnemonic.words()
      let again = try Mnemonic(words: words, language: mnemonic.language)
      let (first, second) = (array(try mnemonic.entropy()), array(try again.entropy()))
      guard first == second, mnemonic.wordCount == again.wordCount else { throw .checksum }
    } catch {
      // Refusing the input is fine; the same sentence read twice is not another one.
      try require(!isSentence(text), "a sentence survives a round trip: \(error)")
    }
  }

  private static func isSentence(_ text: borrowing SecretBytes) -> Bool {
    do { return try Mnemonic(words: text).wordCount > 0 } catch { return false }
  }

  private static func extendedKeys(_ text: borrowing SecretBytes) throws(FuzzFault) {
    if let written = rewrittenPrivate(text) { try require(written == array(text), "an extended key has one text") }
    if let written = rewrittenPublic(text) { try require(written == array(text), "an extended public key has one text") }
  }

  private static func rewrittenPrivate(_ text: borrowing SecretBytes) -> [UInt8]? {
    do { return array(try ExtendedKey(parsing: text).serialized()) } catch { return nil }
  }

  private static func rewrittenPublic(_ text: borrowing SecretBytes) -> [UInt8]? {
    do {
      let key = try ExtendedPublicKey(parsing: text)
      if let first = ChildIndex(normal: 0) { try? derive(key, first) }
      return array(try key.serialized())
    } catch { return nil }
  }

  private static func derive(_ key: borrowing ExtendedPublicKey, _ index: ChildIndex) throws(ExtendedKeyError) {
    _ = try key.child(index)
  }

  /// The input as a text of base 58, and as the payload of one; with the right length it is an extended key behind a right checksum.
  private static func base58(_ bytes: UnsafeRawBufferPointer) throws(FuzzFault) {
    do throws(ExtendedKeyError) {
      let payload = try Base58Check.decode(bytes)
      let text = try payload.withBytes { (payload) throws(ExtendedKeyError) in try Base58Check.encode(payload) }
      guard array(text) == Array(bytes) else { throw .checksum }
    } catch {
      try require((try? Base58Check.decodable(bytes)) == nil, "one base58 text for one payload: \(error)")
    }
    guard (1...Base58Check.longestPayload).contains(bytes.count) else { return }
    let versions: [[UInt8]] = [
      [0x04, 0x88, 0xad, 0xe4], [0x04, 0x88, 0xb2, 0x1e], [0x04, 0x35, 0x83, 0x94], [0x04, 0x35, 0x87, 0xcf],
    ]
    let version = versions[Int(bytes[0]) % versions.count]
    let payload = Array((version + bytes.dropFirst()).prefix(78))
    let text = try unfailing("a payload has a text") { () throws(ExtendedKeyError) in
      try payload.withUnsafeBufferPointer { (payload) throws(ExtendedKeyError) in
        array(try Base58Check.encode(UnsafeRawBufferPointer(payload)))
      }
    }
    try text.withUnsafeBufferPointer { (text) throws(FuzzFault) in
      let text = UnsafeRawBufferPointer(text)
      let decoded = try unfailing("its text is read") { () throws(ExtendedKeyError) in array(try Base58Check.decode(text)) }
      try require(decoded == payload, "a payload survives a round trip")
      if let text = secret(text) { try extendedKeys(text) }
    }
  }
}

extension Base58Check {
  fileprivate static func decodable(_ bytes: UnsafeRawBufferPointer) throws(ExtendedKeyError) -> Int { try decode(bytes).count }
}
