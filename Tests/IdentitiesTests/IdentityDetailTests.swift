import Curve
import Encodings
import SecretMemory
import TestSupport
import Testing

@testable import Identities
@testable import Vault

@Suite struct IdentityDetailTests {
  @Test("Exactly one emoji is accepted", arguments: ["🦊", "👩‍👩‍👧‍👦", "🇩🇪", "1️⃣", "❤️", "👋🏽", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", " 🦊 "]) func oneEmojiIsKept(
    text: String
  ) throws {
    var details = IdentityDetails()
    try details.set(emoji: text)
    #expect(details.emoji == text.filter { !$0.isWhitespace })
  }

  @Test(
    "Text that is not exactly one emoji is refused",
    arguments: [
      "a", "1", "#", "🦊🦊", "🦊a", "é", "\u{202e}🦊", "🦊\u{202e}", "\u{1b}[31m", "🦊\u{200b}", "e\u{301}", "\u{200d}",
      String(repeating: "🦊\u{200d}", count: 40) + "🦊",
    ])
  func anythingElseIsNoEmoji(text: String) {
    var details = IdentityDetails()
    #expect(throws: DetailError.notOneEmoji) { try details.set(emoji: text) }
    #expect(details.emoji == nil)
  }

  @Test("A colour is a hex number or a known name") func coloursAreNumbersOrNames() throws {
    #expect(try Colour("#0A0b0c") == Colour(red: 10, green: 11, blue: 12))
    #expect(try Colour("Teal").text == "#00897b")
    for (name, text) in Colour.named { #expect(try Colour(name).text == text) }
    for bad in ["", "#", "#abc", "0a0b0c", "#0a0b0g", "#0a0b0c0", "beige", "#０a0b0c"] {
      #expect(throws: DetailError.notAColour) { try Colour(bad) }
    }
  }

  @Test("Relays are checked, limited in number and kept once") func relaysAreCheckedBoundedAndKeptOnce() throws {
    var details = IdentityDetails()
    try details.set(relays: ["wss://a.example", "ws://b:1/x", "wss://a.example"])
    #expect(details.relays == ["wss://a.example", "ws://b:1/x"])
    for bad in [
      "https://a", "wss://", "wss://:1", "wss://a b", "wss://me@a", "wss://a\u{7f}", "wss://ä", "WSS://a",
      "wss://" + String(repeating: "a", count: 512),
    ] {
      #expect(throws: DetailError.notARelay(index: 1)) { try details.set(relays: ["wss://fine", bad]) }
    }
    #expect(throws: DetailError.tooManyRelays(limit: 20)) { try details.set(relays: (0..<21).map { "wss://r\($0)" }) }
    #expect(details.relays.count == 2)
  }

  @Test("Notes lose characters that hide or reorder text") func notesLoseWhatHidesOrReorders() throws {
    var details = IdentityDetails()
    try details.set(notes: " \r\nfirst\r\nsecond\rthird\n\u{202e}evil\u{1b}[0m\tend\u{2028} \n")
    #expect(details.notes == "first\nsecond\nthird\nevil[0m\tend")
    #expect(throws: DetailError.notesTooLong(limit: 4096)) { try details.set(notes: String(repeating: "ü", count: 2049)) }
  }

  @Test("Details and retirement are kept after the vault is reopened") func detailsAndRetirementSurviveReopening() throws {
    let home = TemporaryHome()
    let vault = try home.create()
    let identities = try Identities(vault)
    let key = try identities.create(name: "a", now: 0).publicKey
    var details = IdentityDetails()
    details.set(colour: try Colour("red"))
    try details.set(emoji: "🦊")
    try details.set(relays: ["wss://a"])
    try details.set(notes: "x")
    try identities.set(details, of: key)
    try identities.rename(key, to: "b")
    #expect(try identities.setRetired(true, key).isRetired)
    #expect(throws: VaultError.notFound) { try identities.set(details, of: PublicKey(Bytes32())) }
    vault.close()
    let again = try #require(try Identities(home.open()).all.first)
    #expect(again.details == details && again.name == "b" && again.isRetired)
  }

  /// Whatever a file or an owner gives, what was kept is read back the same.
  @Test("Details of any text are read back as they were stored") func whatWasKeptIsReadBack() throws {
    var random = Repeatable(seed: 20)
    let pieces = ["🦊", "a", "\u{202e}", "\r", "\n", " ", "ü", "\u{0}", "👩‍👩‍👧‍👦", "\u{feff}", "\t", "e\u{301}", "\u{200d}"]
    for _ in 0..<500 {
      var details = IdentityDetails()
      let text = (0..<Int.random(in: 0...12, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      try details.set(notes: text)
      try? details.set(emoji: text)
      let identity = Identity(name: "a", publicKey: PublicKey(Bytes32()), createdAt: 0, origin: .created, details: details)
      #expect(
        Identity(Record(id: Bytes32().array, value: identity.recordValue)) == identity,
        "seed 20: \(text.unicodeScalars.map(\.value))")
    }
  }
}
