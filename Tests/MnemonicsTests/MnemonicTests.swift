import Foundation
import Mnemonics
import SecretMemory
import TestSupport
import Testing
import UnicodeNormalization

@Suite struct MnemonicTests {
  static let zeros = "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about"

  // Typed in from BIP-39's own table (trezor/python-mnemonic, vectors.json).
  @Test(
    "The published examples are reproduced",
    arguments: [
      (
        "00000000000000000000000000000000", zeros,
        "c55257c360c07c72029aebc1b53c05ed0362ada38ead3e3e9efa3708e53495531f09a6987599d18264c1e1c92f2cf141630c7a3c4ab7c81b2f001698e7463b04"
      ),
      (
        "7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f", "legal winner thank year wave sausage worth useful legal winner thank yellow",
        "2e8905819b8723fe2c1d161860e5ee1830318dbf49a83bd451cfb8440c28bd6fa457fe1296106559a3c80937a1c1069be3a3a5bd381ee6260e8d9739fce1f607"
      ),
    ])
  func publishedExamples(entropy: String, words: String, seed: String) throws {
    let mnemonic = try Mnemonic(words: try secret(words))
    #expect(mnemonic.language == .english)
    #expect(try mnemonic.entropy().hex() == entropy)
    #expect(try mnemonic.words().text() == words)
    #expect(try mnemonic.seed(passphrase: try secret("TREZOR")).hex() == seed)
  }

  @Test(
    "Words that everybody knows are recognised",
    arguments: [
      zeros, "leader monkey parrot ring guide accident before fence cannon height naive bean",
      "what bleak badge arrange retreat wolf trade produce cricket blur garlic valid proud rude strong choose busy staff weather area salt hollow arm fade",
      "zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo wrong", "test test test test test test test test test test test junk",
      "legal winner thank year wave sausage worth useful legal winner thank year wave sausage worth useful legal will",
      "all all all all all all all all all all all all",
      "light rule cinnamon wrap drastic word pride squirrel upgrade then income fatal apart sustain crack supply proud access",
      "scissors invite lock maple supreme raw rapid void congress muscle digital elegant little brisk hair mango congress clump",
      "candy maple cake sugar pudding cream honey rich smooth crumble sweet treat",
      "myth like bonus scare over problem client lizard pioneer submit female collect",
      "army van defense carry jealous true garbage claim echo media make crunch",
      "あいこくしん あいこくしん あいこくしん あいこくしん あいこくしん あいこくしん あいこくしん あいこくしん あいこくしん あいこくしん あいこくしん あおぞら",
    ])
  func publishedWordsAreKnown(words: String) throws { #expect(try Mnemonic(words: try secret(words)).isPublished()) }

  @Test("Words of one's own are nobody else's", arguments: [12, 15, 18, 21, 24]) func randomWordsAreNotPublished(
    count: Int
  ) throws {
    #expect(try !Mnemonic.random(wordCount: count).isPublished())
  }

  // The widely published seed of these words without a passphrase.
  @Test("The published seed without a passphrase is reproduced") func seedWithoutPassphrase() throws {
    let seed = try Mnemonic(words: try secret(Self.zeros)).seed().hex()
    #expect(
      seed
        == "5eb00bbddcf069084889a8ab9155568165f5c453ccb85e70811aaed6f6da5fc19a5ac40b389cd370d086206dec8aa6c43daea6690f20ad3d8d48b2d2ce9e38e4"
    )
  }

  @Test(
    "Any white space may separate the words",
    arguments: [
      "  \(zeros)\r\n", zeros.replacingOccurrences(of: " ", with: "\t\n "), zeros.replacingOccurrences(of: " ", with: "\u{3000}"),
    ])
  func anyWhiteSpaceSeparatesWords(text: String) throws {
    #expect(try Mnemonic(words: try secret(text)).words().text() == Self.zeros)
  }

  @Test(
    "Errors give the position of a wrong word, never the word",
    arguments: [
      (String(zeros.dropLast(6)), MnemonicError.wordCount(11)),
      (zeros + " about", .wordCount(13)),
      (" ", .wordCount(0)),
      (zeros.replacingOccurrences(of: "about", with: "abandon"), .checksum),
      (zeros.replacingOccurrences(of: "about", with: "aboutt"), .unknownWord(position: 12)),
      (zeros.replacingOccurrences(of: "about", with: "abou"), .unknownWord(position: 12)),
      ("Abandon" + zeros.dropFirst(7), .unknownWord(position: 1)),
      (String(repeating: "a ", count: 12), .unknownWord(position: 1)),
      (String(repeating: "zoo ", count: 5) + "zqo " + String(repeating: "zoo ", count: 6), .unknownWord(position: 6)),
      (String(repeating: "a", count: Normalization.longestText + 1), .tooLong(limit: Normalization.longestText)),
    ])
  func faultsAreNamedWithoutTheWord(text: String, fault: MnemonicError) throws {
    for language in [Mnemonic.Language.english, nil] {
      #expect(throws: fault) { _ = try Mnemonic(words: try secret(text), language: language) }
    }
  }

  @Test("Text that is not UTF-8 is refused", arguments: [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0x61, 0xcc]] as [[UInt8]])
  func textThatIsNotUTF8IsRefused(bytes: [UInt8]) throws {
    #expect(throws: MnemonicError.notUTF8) { _ = try Mnemonic(words: try secret(bytes)) }
    let mnemonic = try Mnemonic(words: try secret(Self.zeros))
    #expect(throws: MnemonicError.notUTF8) { _ = try mnemonic.seed(passphrase: try secret(bytes)) }
  }

  @Test("Entropy of the wrong length is refused", arguments: [1, 15, 17, 33, 64])
  func entropyOfAnotherLengthIsRefused(count: Int) throws {
    #expect(throws: MnemonicError.entropyLength(count)) { _ = try Mnemonic(entropy: try SecretBytes(randomCount: count)) }
  }

  @Test("New words of an unsupported number are refused", arguments: [0, 11, 13, 27, -12])
  func randomMnemonicOfAnotherLengthIsRefused(count: Int) {
    #expect(throws: MnemonicError.wordCount(count)) { _ = try Mnemonic.random(wordCount: count) }
  }

  @Test("New words differ each time and can be read back", arguments: [12, 15, 18, 21, 24])
  func randomMnemonicsDifferAndCanBeRead(count: Int) throws {
    let one = try Mnemonic.random(wordCount: count)
    let other = try Mnemonic.random(wordCount: count)
    #expect(one.wordCount == count)
    #expect(try one.entropy().hex() != other.entropy().hex())
    #expect(try Mnemonic(words: try one.words()).entropy().hex() == one.entropy().hex())
  }

  @Test("Words of every language read back the same", arguments: Mnemonic.Language.allCases)
  func wordsReadBackForAnyEntropy(language: Mnemonic.Language) throws {
    let seed: UInt64 = 0x39
    var random = Repeatable(seed: seed)
    for length in [16, 20, 24, 28, 32] {
      let entropy = random.bytes(length)
      let words = try Mnemonic(entropy: try secret(entropy), language: language).words()
      #expect(try Mnemonic(words: words, language: language).entropy().array() == entropy, "seed \(seed)")
      // Without a language another list may be found, which must then say the same words.
      #expect(
        try Mnemonic(words: words).words().text().split(separator: " ") == words.text().split(separator: " "), "seed \(seed)")
    }
  }

  /// With the other words given, exactly as many last words fit as there are bits of entropy in it: 7 of 11 bits among 12 words,
  /// 3 among 24. The checksum is the rest.
  @Test("The checksum allows only the right number of last words", arguments: [(12, 128), (24, 8)])
  func checksumLeavesExactlyItsShareOfLastWords(wordCount: Int, fitting: Int) throws {
    let front = String(repeating: "abandon ", count: wordCount - 1)
    let accepted = try (0..<2048).count { index in
      // The first eleven bits of the entropy are the first word's index.
      let entropy = [UInt8(index >> 3), UInt8(index & 7) << 5] + [UInt8](repeating: 0, count: 14)
      let word = try Mnemonic(entropy: try secret(entropy)).words().text().prefix { $0 != " " }
      return (try? Mnemonic(words: try secret(front + word), language: .english).wordCount) != nil
    }
    #expect(accepted == fitting)
  }

  @Test("A passphrase is normalized before use") func passphraseIsNormalized() throws {
    let mnemonic = try Mnemonic(words: try secret(Self.zeros))
    let composed = try mnemonic.seed(passphrase: try secret("\u{c5}\u{fb01}"))
    let decomposed = try mnemonic.seed(passphrase: try secret("A\u{30a}fi"))
    #expect(composed.hex() == decomposed.hex())
    #expect(try composed.hex() != mnemonic.seed().hex())
  }

  @Test("Japanese words are joined by ideographic spaces") func japaneseWordsAreJoinedByIdeographicSpaces() throws {
    let words = try Mnemonic(entropy: try secret([UInt8](repeating: 0, count: 16)), language: .japanese).words().array()
    #expect(words.count { $0 == 0x20 } == 0)
    #expect(String(decoding: words, as: UTF8.self).split(separator: "\u{3000}").count == 12)
  }
}
