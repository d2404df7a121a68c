import Ciphers
public import SecretMemory

/// A BIP-39 mnemonic: 12, 15, 18, 21 or 24 words that stand for 16 to 32 bytes of entropy.
///
/// The entropy and every form of the words stay in secret memory.
public struct Mnemonic: ~Copyable, Sendable {
  /// The language of the words.
  public let language: Language
  let secret: SecretBytes

  /// Reads the words a person typed.
  ///
  /// Any Unicode normalisation form and any white space will do; upper case and abbreviations will not. Without a language the
  /// words decide: the first language in which they are all known and their checksum fits. Where two would do (a few Chinese
  /// sentences, rarely others) both give the same `words()` and `seed()`, only `entropy()` differs; name the language then.
  /// - Parameter words: 1 to `Normalization.longestText` bytes of UTF-8.
  /// - Throws: `.wordCount`, `.unknownWord`, `.checksum`, or a fault of the text itself.
  public init(words: borrowing SecretBytes, language: Language? = nil) throws(MnemonicError) {
    let sentence = try Sentence(words)
    guard WordBits.wordCounts.contains(sentence.words.count) else { throw .wordCount(sentence.words.count) }
    var fault = MnemonicError.unknownWord(position: 0)
    for candidate in language.map({ [$0] }) ?? Language.allCases {
      do throws(MnemonicError) {
        let bits = try sentence.bits(in: candidate.wordList)
        let entropy = try bits.withBytes { (bits) throws(MnemonicError) in
          try WordBits.entropy(of: bits, wordCount: sentence.words.count)
        }
        self.init(checked: entropy, candidate)
        return
      } catch {
        fault = try Self.nearer(fault, error)
      }
    }
    throw fault
  }

  /// - Parameter entropy: 16, 20, 24, 28 or 32 bytes.
  /// - Throws: `.entropyLength`.
  public init(entropy: borrowing SecretBytes, language: Language = .english) throws(MnemonicError) {
    guard WordBits.wordCount(entropyLength: entropy.count) != nil else { throw .entropyLength(entropy.count) }
    self.init(checked: try entropy.copy(), language)
  }

  private init(checked entropy: consuming SecretBytes, _ language: Language) {
    secret = entropy
    self.language = language
  }

  /// A fresh mnemonic from the system's generator.
  /// - Parameter wordCount: 12, 15, 18, 21 or 24.
  /// - Throws: `.wordCount`.
  public static func random(wordCount: Int = 12, language: Language = .english) throws(MnemonicError) -> Mnemonic {
    guard WordBits.wordCounts.contains(wordCount) else { throw .wordCount(wordCount) }
    return Mnemonic(checked: try secretBytes(wordCount * 4 / 3) { SystemRandom.fill($0) }, language)
  }

  /// 12, 15, 18, 21 or 24.
  public var wordCount: Int { secret.count * 3 / 4 }

  /// An own copy of the entropy: 16, 20, 24, 28 or 32 bytes.
  public borrowing func entropy() throws(MnemonicError) -> SecretBytes { try secret.copy() }

  /// The words in NFKD with one space between them (U+3000 in Japanese), UTF-8.
  public borrowing func words() throws(MnemonicError) -> SecretBytes { try sentence(separator: language.separator) }

  /// The 64-byte seed for BIP-32, without a passphrase: PBKDF2-HMAC-SHA512 of the words, 2048 rounds. Costs about a millisecond.
  public borrowing func seed() throws(MnemonicError) -> SecretBytes {
    try seed(saltedWith: UnsafeRawBufferPointer(start: nil, count: 0))
  }

  /// The 64-byte seed for BIP-32. Another passphrase gives another seed, never an error.
  /// - Parameter passphrase: 1 to `Normalization.longestText` bytes of UTF-8, in any normalisation form.
  /// - Throws: `.notUTF8`, `.tooLong`.
  public borrowing func seed(passphrase: borrowing SecretBytes) throws(MnemonicError) -> SecretBytes {
    let normal = try passphrase.withBytes { (bytes) throws(MnemonicError) in try nfkd(bytes) }
    return try normal.withBytes { (bytes) throws(MnemonicError) in try seed(saltedWith: bytes) }
  }
}

extension Mnemonic {
  static let rounds: Int32 = 2048
  private static let saltPrefix: StaticString = "mnemonic"

  private borrowing func seed(saltedWith passphrase: UnsafeRawBufferPointer) throws(MnemonicError) -> SecretBytes {
    let prefix = Self.saltPrefix.bytes
    let salt = try secretBytes(prefix.count + passphrase.count) {
      $0.place(prefix, at: 0)
      $0.place(passphrase, at: prefix.count)
    }
    // The salt and the words go in as NFKD, and the NFKD of every separator is a plain space.
    let words = try sentence(separator: " ")
    return try words.withBytes { (words) throws(MnemonicError) in
      try salt.withBytes { (salt) throws(MnemonicError) in
        do throws(CipherError) { return try SHA512.pbkdf2(password: words, salt: salt, iterations: Self.rounds) } catch {
          throw error == .outOfMemory ? .outOfMemory : .library(.keyDerivation)
        }
      }
    }
  }

  private borrowing func sentence(separator: StaticString) throws(MnemonicError) -> SecretBytes {
    let (list, count) = (language.wordList, wordCount)
    let bits = try WordBits.withChecksum(secret)
    return try bits.withBytes { (bits) throws(MnemonicError) in
      var length = separator.bytes.count * (count - 1)
      for position in 0..<count { length += list.word(at: WordBits.index(at: position, in: bits)).count }
      return try secretBytes(length) { text in
        var end = 0
        for position in 0..<count {
          if position > 0 {
            text.place(separator.bytes, at: end)
            end += separator.bytes.count
          }
          let word = list.word(at: WordBits.index(at: position, in: bits))
          text.place(word, at: end)
          end += word.count
        }
      }
    }
  }

  /// Of two languages' faults the one that got further: a wrong checksum, else the later unknown word.
  /// - Throws: faults that have nothing to do with a language.
  private static func nearer(_ one: MnemonicError, _ other: MnemonicError) throws(MnemonicError) -> MnemonicError {
    switch (one, other) {
    case (.unknownWord(let a), .unknownWord(let b)): a >= b ? one : other
    case (.checksum, .unknownWord), (.checksum, .checksum): one
    case (_, .checksum): other
    default: throw other
    }
  }
}

extension SecretBytes {
  /// As `duplicate` with this module's error.
  borrowing func copy() throws(MnemonicError) -> SecretBytes {
    try withBytes { (bytes) throws(MnemonicError) in try secretBytes(bytes.count) { $0.copyMemory(from: bytes) } }
  }
}
