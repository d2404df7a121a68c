import Curve
import DaemonSupport
import JSON
import Nostr
import RemoteSigning
import TestSupport
import Testing

@testable import RequestPreview
@testable import Signer

/// Content that wants to be read as something else.
@Suite struct HostileAccountTests {
  static let kinds = [
    0, 1, 3, 4, 5, 6, 7, 13, 16, 1059, 1111, 1984, 7375, 9734, 10_000, 10_002, 17_375, 22_242, 24_133, 24_242, 27_235, 30_003,
    30_023, 30_078, 31_234, 65_535,
  ]

  @Test("A second address or amount is shown beside the first, with a warning for logins")
  func aSecondAddressIsNotHiddenBehindTheFirst() throws {
    let login = try Account(
      kind: 27235, "", [["u", "https://good.example/"], ["u", "https://evil.example/", "x"], ["method", "GET"]])
    #expect(login.title == "Log in to a website: good.example")
    #expect(login.fact("Another “u”") == "https://evil.example/ x" && login.warnings.contains { $0.contains("the other one") })
    let zap = try Account(
      kind: 9734, "", [["amount", "1000"], ["amount", "100000000"], ["p", String(repeating: "1", count: 64)]])
    #expect(zap.fact("Another “amount”") == "100000000")
    let many = try Account(kind: 22242, "", (0..<20).map { ["relay", "wss://r\($0).example"] })
    #expect(many.warnings.contains { $0.contains("the other one") } && many.fact("relay") == "and 11 more")
  }

  @Test("A text that was cut ends with a mark") func whatWasCutEndsInAMark() throws {
    let long = "https://good.example/" + String(repeating: "a", count: DescriptionPage.longestLine) + "?to=evil"
    let url = try Account(kind: 27235, "", [["u", long], ["method", "GET"]]).part("url")["url"]?.string
    #expect(url?.hasSuffix("a…") == true)
    let whole = String(repeating: "é", count: DescriptionPage.longestLine / 2)
    #expect(DescriptionPage.line(whole) == whole && DescriptionPage.line(whole + "x") == whole + "…")
    #expect(DescriptionPage.line(whole + "\u{202E}") == whole, "what hides is no loss")
  }

  @Test("A text with characters that nobody would see says so, and others do not") func hiddenCharactersAreMentioned() throws {
    let said = "This text has characters that cannot be seen. The exact request shows them."
    for text in ["Look \u{202E}gpj.exe\u{202C}", "a\u{200B}b", "\u{7}"] {
      #expect(try Account(kind: 1, text).warnings == [said], "\(text.debugDescription)")
    }
    for text in ["two\r\nlines\tand more", "👩\u{200D}💻 é", "नमस्ते क्\u{200D}ष", ""] {
      #expect(try Account(kind: 1, text).warnings.isEmpty, "\(text.debugDescription)")
    }
  }

  @Test("Hidden and reordering characters are never shown, whatever the kind or method", arguments: SummaryTests.hostile)
  func nothingHiddenOrReorderedIsShown(text: String) throws {
    for kind in Self.kinds {
      let tags = ["p", "e", "a", "d", "u", "method", "relay", "title", "zap", "imeta", text].map { [$0, text, text] }
      let profile = String(decoding: JSONValue.object([.init(text, .string(text))]).serialized(), as: UTF8.self)
      for content in [text, profile] { SummaryTests.check(try Account(kind: kind, content, tags).json, "kind \(kind)") }
    }
    for method in [RemoteSigning.Method.nip44Encrypt, .nip04Decrypt] {
      SummaryTests.check(try Account(method, [text, text]).json, method.rawValue)
    }
  }

  @Test("Too many combining marks on one character are cut off") func marksPiledOnOneLetterAreCutOff() throws {
    let shown = try unwrap(
      try Account(kind: 1, "z" + String(repeating: "\u{0335}", count: 500) + "!").part("text")["text"]?.string)
    #expect(shown.unicodeScalars.count == ShownText.longestMarks + 2 && shown.hasSuffix("!"))
  }

  @Test("Empty lines cannot push the rest of a text out of view") func emptyLinesCannotPushTheRestOutOfSight() throws {
    let text = "look" + String(repeating: "\n", count: 5000) + "[Approve]"
    let shown = try unwrap(try Account(kind: 1, text).part("text")["text"]?.string)
    #expect(shown == "look\n\n\n[Approve]")
  }

  @Test("A long text is cut and marked as cut") func whatIsLongIsCutAndSaysSo() throws {
    let account = try Account(kind: 1, String(repeating: "a", count: 1 << 20))
    let part = try account.part("text")
    #expect(part["truncated"] == true && part["text"]?.string?.utf8.count == DescriptionPage.longestText)
    #expect(account.json["raw_truncated"] == true && (account.json["raw"]?.string?.utf8.count ?? 0) <= RawText.longest)
  }

  @Test("An event with five thousand tags still gets a short description") func fiveThousandTagsMakeAShortAccount() throws {
    let people = try (0..<200).map { _ in try KeyPair.random().publicKey.hex }
    let tags = (0..<5000).map { ["p", people[$0 % 200], "x"] } + (0..<500).map { ["tag \($0)", "y"] }
    for kind in Self.kinds {
      let account = try Account(kind: kind, "x", tags)
      #expect(account.parts.count < 60 && JSONValue.array(account.parts).serialized().count < 64 << 10, "kind \(kind)")
    }
    let change = try Account(kind: 3, "", tags).part("list-diff")
    #expect(change["added_count"] == 200 && change["added"]?.array?.count == DescriptionPage.mostEntries)
  }

  @Test("The raw text shows hidden characters as escapes and still means the same")
  func theRawTextMeansTheSameAndHidesNothing() throws {
    let text = Account.template(1, "a\u{202e}b\u{200b}\u{e0041}c", [])
    let raw = try unwrap(try Account(.signEvent, [text]).json["raw"]?.string)
    #expect(raw.contains(#"\u202eb\u200b\udb40\udc41c"#))
    #expect(try EventTemplate(parsing: Array(raw.utf8)).content == "a\u{202e}b\u{200b}\u{e0041}c")
  }

  @Test("An event that cannot be read gets a warning that says so") func whatCannotBeReadIsSaid() throws {
    for text in ["", "{", "[]", #"{"kind":1}"#] {
      #expect(try Account(.signEvent, [text]).warnings.first?.contains("not an event") == true)
    }
  }

  @Test("Arbitrary events never crash the description") func noTemplateTrapsIt() throws {
    var random = Repeatable.announced()
    let names = ["p", "e", "a", "d", "u", "relay", "r", "zap", "amount", "expiration", "published_at", "imeta", "k", ""]
    let values = [
      "", "x", "-1", "9223372036854775807", "-9223372036854775808", "https://", "wss://@", "url ",
      String(repeating: "f", count: 64),
    ]
    for _ in 0..<2000 {
      let tags = (0..<Int(random.next() % 6)).map { _ in
        (0..<Int(random.next() % 5)).map {
          $0 == 0 ? names.randomElement(using: &random) ?? "" : values.randomElement(using: &random) ?? ""
        }
      }
      let time: Int64? = [nil, 0, .max, .min, Account.receivedAt].randomElement(using: &random) ?? nil
      let before = EventTemplate(kind: 3, tags: tags, content: values.randomElement(using: &random) ?? "")
      let template = EventTemplate(
        createdAt: time, kind: Self.kinds.randomElement(using: &random) ?? 1, tags: tags,
        content: values.randomElement(using: &random) ?? "")
      let key = PublicKey(try KeyPair.random().publicKey.bytes)
      _ = EventDescription(template, identity: key, before: before, receivedAt: random.next() % 2 == 0 ? .max : 0)
    }
  }
}
