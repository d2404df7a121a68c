import SecretMemory
import TestSupport
import Testing

@testable import Mnemonics

@Suite struct ShareEntryTests {
  private static let words =
    "shadow pistol academic always adequate wildlife fancy gross oasis cylinder mustang wrist rescue view short owner flip making coding armed"

  private func match(_ typed: String) -> (ShareWordMatch, String) {
    var word = [UInt8](repeating: 0, count: ShareText.longestWord)
    let match = Array(typed.utf8).withUnsafeBytes { typed in word.withUnsafeMutableBytes { ShareText.match(typed, into: $0) } }
    return (match, String(decoding: word.prefix { $0 != 0 }, as: UTF8.self))
  }

  @Test(
    "Typed letters are matched with the words of the list",
    arguments: [
      ("acad", ShareWordMatch.word(length: 8, isKnown: true), "academic"),
      ("ACADEMIC", .word(length: 8, isKnown: true), "academic"),
      ("aca", .word(length: 8, isKnown: false), "academic"), ("ac", .several, ""), ("acax", .none, ""), ("", .none, ""),
      ("academics", .none, ""),
    ])
  func lettersAreLookedUp(typed: String, expected: ShareWordMatch, word: String) {
    let (match, found) = match(typed)
    #expect(match == expected && found == word)
  }

  @Test("Four letters are enough to recognise any word") func everyWordIsKnownByFourLetters() {
    for word in WordList.slip39.bytes.split(separator: 0x20) {
      let text = String(decoding: word, as: UTF8.self)
      #expect(match(String(text.prefix(4))) == (.word(length: text.utf8.count, isKnown: true), text))
    }
  }

  @Test("The kit is recognised from the first two words of a share") func theKitIsKnownFromTwoWords() throws {
    let share = try Share(words: secret(Self.words))
    for text in [Self.words, "shad pist"] {
      #expect(Array(text.utf8).withUnsafeBytes { ShareText.kit(beginning: $0) } == share.numbers.kit)
    }
    for text in ["shadow", "shadow zzzz", ""] {
      #expect(Array(text.utf8).withUnsafeBytes { ShareText.kit(beginning: $0) } == nil)
    }
  }

  @Test("A single wrong word is located, and two are not") func theOneWrongWordIsFoundAndOfTwoNone() throws {
    let words = Self.words.split(separator: " ").map(String.init)
    #expect(ShareText.onlyWrongWord(in: try secret(Self.words)) == nil)
    for position in [0, 6, 19] {
      var wrong = words
      wrong[position] = "academic" == wrong[position] ? "acid" : "academic"
      #expect(ShareText.onlyWrongWord(in: try secret(wrong.joined(separator: " "))) == position + 1)
      wrong[(position + 5) % 20] = "zero"
      #expect(ShareText.onlyWrongWord(in: try secret(wrong.joined(separator: " "))) == nil)
    }
    #expect(ShareText.onlyWrongWord(in: try secret("shadow pistol")) == nil)
  }
}
