import Foundation
import Mnemonics
import SecretMemory
import TestSupport
import TestVectors
import Testing

@Suite("BIP-39 test vectors in twelve languages", .vectors("BIP-39"))
struct MnemonicVectorTests {
  struct Case {
    let entropy, words, seed, root: String
  }

  static func cases(_ language: Mnemonic.Language) throws -> [Case] {
    let lists = try Vectors.object("bip39/vectors.json")
    let rows = try #require(lists[language.rawValue] as? [[String]])
    return rows.map { Case(entropy: $0[0], words: $0[1], seed: $0[2], root: $0[3]) }
  }

  @Test("Every language with published examples is supported") func everyLanguageOfTheVectorsIsKnown() throws {
    let names = Set(try Vectors.object("bip39/vectors.json").keys)
    #expect(names == Set(Mnemonic.Language.allCases.map(\.rawValue)))
    let count = try Mnemonic.Language.allCases.map { try Self.cases($0).count }.reduce(0, +)
    #expect(count == (try Vectors.cases("bip39/vectors.json", "*", as: [String].self).count))
  }

  @Test("Entropy gives the published words, seed and root key", arguments: Mnemonic.Language.allCases)
  func entropyGivesWordsSeedAndRootKey(language: Mnemonic.Language) throws {
    for example in try Self.cases(language) {
      let mnemonic = try Mnemonic(entropy: try secret(hex: example.entropy), language: language)
      #expect(try mnemonic.words().text() == example.words)  // String equality is canonical: NFC and NFKD of one word are equal
      let seed = try mnemonic.seed(passphrase: try secret("TREZOR"))
      #expect(seed.hex() == example.seed)
      #expect(try ExtendedKey(seed: seed).serialized().text() == example.root)
    }
  }

  @Test("Words give back their entropy, and their language is recognised", arguments: Mnemonic.Language.allCases)
  func wordsGiveEntropyAndTheLanguageIsFound(language: Mnemonic.Language) throws {
    for example in try Self.cases(language) {
      let named = try Mnemonic(words: try secret(example.words), language: language)
      #expect(try named.entropy().hex() == example.entropy)
      #expect(named.wordCount == example.words.split { $0 == " " || $0 == "\u{3000}" }.count)
      let found = try Mnemonic(words: try secret(example.words))
      #expect(try found.words().text() == example.words)
      #expect(try found.seed().hex() == named.seed().hex())
      // The two Chinese lists share most words; one of the published sentences is right in both.
      #expect(found.language == language || [found.language, language] == [.chineseSimplified, .chineseTraditional])
    }
  }

  @Test("Words in any Unicode normalization form are read", arguments: Mnemonic.Language.allCases)
  func everyNormalizationFormOfTheWordsIsRead(language: Mnemonic.Language) throws {
    let example = try #require(try Self.cases(language).last)
    let forms = [
      example.words.precomposedStringWithCanonicalMapping, example.words.decomposedStringWithCanonicalMapping,
      example.words.precomposedStringWithCompatibilityMapping, example.words.decomposedStringWithCompatibilityMapping,
    ]
    for form in forms {
      #expect(try Mnemonic(words: try secret(form), language: language).entropy().hex() == example.entropy)
    }
  }

  /// The word lists went through a generator; the English one is compared with BIP-39's own file.
  @Test("The English word list is the published one") func englishListIsThePublishedOne() throws {
    let published = try Vectors.lines("bip39/english.txt")
    for (index, word) in published.enumerated() {
      // The first eleven bits of the entropy are the first word's index.
      let entropy = [UInt8(index >> 3), UInt8(index & 7) << 5] + [UInt8](repeating: 0, count: 14)
      let words = try Mnemonic(entropy: try secret(entropy)).words().text()
      #expect(words.split(separator: " ").first.map(String.init) == word)
    }
  }
}
