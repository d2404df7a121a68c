import Encodings
import Testing

@Suite struct NearestTests {
  @Test(
    "A mistyped word is recognised, whatever its case and if letters are missing",
    arguments: [
      ("colr", "colour"), ("color", "colour"), ("ALICE", "alice"), ("ident", "identity"), ("clinet", "client"), ("csl", nil),
      ("x", nil), ("zebra", nil),
    ])
  func aMistypedWord(word: String, meant: String?) {
    #expect(nearest(to: word, among: ["alice", "client", "colour", "identity"]) == meant)
  }
}
