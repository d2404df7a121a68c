import Encodings
import Testing

@Suite struct TextSearchTests {
  @Test("A text is found where it first stands, and nowhere when it is empty or longer")
  func theFirstPlaceCounts() {
    let text = "an än an"
    #expect(text.firstIndex(ofText: "an") == text.startIndex)
    #expect(text.firstIndex(ofText: "än").map { text[..<$0] } == "an ")
    #expect(text.firstIndex(ofText: " an").map { text[$0...] } == " an")
    #expect(text.includes(text) && !text.includes("") && !"".includes("a") && !"ab".includes("abc") && !text.includes("na"))
  }

  @Test(
    "Every occurrence is replaced once, also by a text that contains it",
    arguments: [
      ("a-b-c", "-", "_", "a_b_c"), ("aaa", "aa", "a", "aa"), ("--", "-", "--", "----"), ("a\u{A0}b", "\u{A0}", " ", "a b"),
      ("same", "x", "y", "same"), ("same", "", "y", "same"), ("", "a", "b", ""),
    ])
  func occurrencesAreReplaced(text: String, old: String, new: String, result: String) {
    #expect(text.replacing(text: old, by: new) == result)
  }
}
