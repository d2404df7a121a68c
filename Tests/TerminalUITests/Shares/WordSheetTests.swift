import Mnemonics
import SecretMemory
import TestSupport
import Testing

@testable import TerminalUI

@Suite struct WordSheetTests {
  private static let kit = ShareIntakeTests.kit

  /// Types as a terminal sends it, and gives the words back.
  private func typed(_ text: String) throws -> (words: String, areKnown: Bool) {
    var sheet = try WordSheet()
    var keys = KeyReader()
    for byte in text.utf8 {
      switch keys.key(byte) {
      case .letter(let letter)?: sheet.type(letter)
      case .space?, .enter?: sheet.endWord()
      case .erase?: sheet.erase()
      case .eraseWord?: sheet.eraseWord()
      case .previous?: sheet.previous()
      case .next?: sheet.next()
      default: break
      }
    }
    let words = try sheet.text().text().split { $0 == " " || $0 == "\0" }.joined(separator: " ")
    return (words, sheet.areKnown)
  }

  @Test(
    "Words are completed while they are typed",
    arguments: [
      ("shadow pistol", "shadow pistol"), ("SHAD pist ", "shadow pistol"), ("1. shad\n2. pist\n", "shadow pistol"),
      ("shad,pistol, acad", "shadow pistol acad"), ("shadow  \t pistol", "shadow pistol"),
      ("shadoww\u{7f} pistol", "shadow pistol"), ("shadow\u{15}pistol ", "pistol"), ("shadow \u{17}pistol ", "pistol"),
      ("shad pist \u{1B}[D\u{1B}[D\u{17}fancy ", "fancy pistol"), ("shad pist \u{1B}OA\u{7f}l\u{1B}OB", "shadow pistol"),
      ("shadow \u{7f}\u{7f}w pistol", "shadow pistol"), ("m\u{fc}shad", "mshad"),
    ])
  func wordsAreWrittenOutAsTheyAreTyped(keys: String, words: String) throws { #expect(try typed(keys).words == words) }

  @Test(
    "A word that is not in the list is detected",
    arguments: [
      ("shadow pistol", true), ("shad", true), ("sha", false), ("shadx", false), ("zzzz pistol", false), ("shadowy", false),
      ("", true),
    ])
  func aWordThatIsNoneOfTheListIsNoticed(keys: String, areKnown: Bool) throws { #expect(try typed(keys).areKnown == areKnown) }

  @Test("Random keys never break the word sheet") func nothingThatIsTypedLeavesTheSheet() throws {
    var generator = Repeatable.announced()
    for _ in 0..<50 {
      let bytes = (0..<400).map { _ in UInt8.random(in: 0...255, using: &generator) }
      _ = try typed(String(decoding: bytes, as: UTF8.self))
    }
    let long = String(repeating: "abcdefghijklmnopqrstuvwxyz ", count: 60)
    #expect(try typed(long).words.split(separator: " ").count == WordSheet.most)
  }

  @Test("The screen shows the typed letters and the word they become") func theScreenShowsWhatIsTypedAndWhatItBecomes() throws {
    var sheet = try WordSheet()
    for letter in Array("shad".utf8) { sheet.type(letter) }
    sheet.endWord()
    for letter in Array("pist".utf8) { sheet.type(letter) }
    var screen = ShareScreen()
    screen.title = "Title"
    let shown = try screen.draw(sheet).withBytes { String(decoding: $0, as: UTF8.self) }
    #expect(shown.contains("Title") && shown.contains("1 shadow ") && shown.contains("2 pist\u{1B}[2mol\u{1B}[22m"))
    sheet.endWord()
    for letter in Array("zzzz".utf8) { sheet.type(letter) }
    let wrong = try screen.draw(sheet).withBytes { String(decoding: $0, as: UTF8.self) }
    #expect(wrong.contains("3 zzzz\u{1B}[7m?"))
  }

  @Test("A text that does not fit the screen is cut") func aScreenThatDoesNotFitIsCutAndNotOverrun() throws {
    var text = try SecretText(capacity: 8)
    text.add("12345")
    text.add("67890")
    #expect(text.withBytes { String(decoding: $0, as: UTF8.self) } == "12345678")
  }

  @Test("The last entered share can be taken back") func aShareThatDoesNotFitTheOthersIsLeftOutOrTakenBack() throws {
    var intake = ShareIntake()
    for words in Self.kit { try intake.take(try secret(words)) }
    #expect(intake.check() == nil && intake.wordCount == 20)
    #expect(intake.forgetLast() && intake.count == 1 && !intake.isComplete)
    try intake.take(try secret(Self.kit[1]))
    #expect(intake.isComplete)
    #expect(intake.forgetLast() && intake.forgetLast() && !intake.forgetLast() && intake.kit == nil)
  }
}
