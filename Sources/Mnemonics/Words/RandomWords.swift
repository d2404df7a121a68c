public import SecretMemory

/// A passphrase of random words, for a person to write down. It is no mnemonic: no key is derived from it, and it has no checksum.
public enum RandomWords {
  /// Words in a phrase: 77 bits of chance. With the vault's Argon2id, guessing them is beyond anybody.
  public static let count = 7

  /// Makes one from the English words of BIP-39, which differ in their first four letters. Each is drawn with 11 bits of the system's randomness.
  /// - Returns: seven words with a space between two, in ASCII, 27 to 62 bytes long.
  /// - Throws: if there is no memory, or no randomness.
  public static func phrase() throws(SecretBytesError<Never>) -> SecretBox {
    let list = Mnemonic.Language.english.wordList
    let random = try SecretBytes(randomCount: 2 * count)
    var phrase = try SecretBuffer(capacity: 64)
    for number in 0..<count {
      if number > 0 { try phrase.append(" ") }
      let index = random.withBytes { bytes in (Int(bytes[2 * number]) << 8 | Int(bytes[2 * number + 1])) % WordList.count }
      try phrase.append(list.word(at: index))
    }
    return try phrase.box()
  }
}
