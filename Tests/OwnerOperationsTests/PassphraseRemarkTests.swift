import Testing

@testable import OwnerOperations

@Suite struct PassphraseRemarkTests {
  @Test(
    "An obviously weak passphrase gets a warning",
    arguments: [
      "", "short", "elevenchars", "aaaaaaaaaaaaaaaaaaaa", "abababababababab", "314159265358979", "Password1234", "xx-HOLDFAST-xx",
      "correct horse battery staple", "qwertyuiop12",
    ])
  func aPlainlyWeakPassphraseGetsAWord(words: String) {
    #expect(Array(words.utf8).withUnsafeBytes { PassphraseRemark.text(for: $0) } != nil)
  }

  @Test(
    "A good passphrase gets no warning",
    arguments: ["lantern gravel oboe mittens", "interop canary passphrase 7Qx", "tr0ub4dor&3 and more", "größer als gestern"])
  func anotherGetsNone(words: String) {
    #expect(Array(words.utf8).withUnsafeBytes { PassphraseRemark.text(for: $0) } == nil)
  }

  @Test(
    "A passphrase that attackers try first is called well known, however short it is",
    arguments: ["password", "password1", "Password1234", "12345678"])
  func aKnownPassphraseIsCalledKnown(words: String) {
    let text = Array(words.utf8).withUnsafeBytes { PassphraseRemark.text(for: $0) } ?? ""
    #expect(text.hasPrefix("This passphrase is well known, or nearly: attackers try it first."))
  }

  @Test("The warning reveals nothing about the passphrase") func theWordSaysNothingOfThePassphrase() {
    let words = "Password9317"
    let text = Array(words.utf8).withUnsafeBytes { PassphraseRemark.text(for: $0) } ?? ""
    #expect(!text.contains("9317") && !text.contains("Password"))
  }
}
