import SecretMemory
import Testing

@testable import Mnemonics

@Suite struct RandomWordsTests {
  /// The phrase's words as numbers of the English list.
  private static func phrase() throws -> [Int?] {
    let phrase = try RandomWords.phrase()
    #expect((27...62).contains(phrase.count))
    let words = phrase.withBytes { Array($0).split(separator: 0x20, omittingEmptySubsequences: false).map(Array.init) }
    return words.map { word in word.withUnsafeBytes { Mnemonic.Language.english.wordList.index(of: $0) } }
  }

  @Test("A phrase is seven words of the English list, drawn from all of it") func sevenWords() throws {
    var drawn: [Int] = []
    for _ in 0..<100 {
      let words = try Self.phrase()
      #expect(words.count == 7 && !words.contains(nil))
      drawn += words.compactMap { $0 }
    }
    // Of 700 draws from 2048 words, about 110 repeat an earlier one.
    #expect(Set(drawn).count > 500)
    #expect(drawn.contains { $0 >= 1024 } && drawn.contains { $0 < 1024 } && drawn.contains { $0 & 0xFF != 0 })
  }
}
