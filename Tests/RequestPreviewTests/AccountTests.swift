import Curve
import DaemonSupport
import JSON
import Nostr
import RemoteSigning
import Testing

@testable import RequestPreview
@testable import Signer

/// What the owner reads before answering.
@Suite struct AccountTests {
  @Test("A note is shown with its text, the posts it replies to, its mentions and its topics")
  func aNoteIsShownAsItWillLookWithWhatItRepliesTo() throws {
    let (root, reply, author) = (
      String(repeating: "a", count: 64), String(repeating: "b", count: 64), try KeyPair.random().publicKey
    )
    let account = try Account(
      kind: 1, "first line\nsecond 👩‍🚀",
      [["e", root, "", "root"], ["e", reply, "", "reply"], ["p", author.hex], ["t", "nostr"]])
    #expect(account.title == "Sign a note" && account.json["kind_name"] == "note")
    #expect(try account.part("text")["text"] == "first line\nsecond 👩‍🚀")
    #expect(try account.part("reference", "Replies to")["id"]?.string == reply)
    #expect(try account.part("reference", "In the thread of")["id"]?.string == root)
    #expect(try account.part("peer", "Mentions")["npub"]?.string == author.npub && account.fact("Topic") == "nostr")
    #expect(account.fact("Other tags") == nil && account.warnings.isEmpty)
  }

  @Test("Tags that no description covers are named and counted") func whatNoSubjectSpeaksOfIsNamedAndCounted() throws {
    let account = try Account(kind: 1, "x", [["subject", "a"], ["subject", "b"], ["proxy", "c"], ["single"]])
    #expect(account.fact("Other tags") == "subject ×2, proxy, single")
  }

  @Test("An event of an unknown kind is shown with the values of its first tags") func anUnknownKindShowsItsTags() throws {
    let more = (0..<9).map { ["extra", "\($0)"] }
    let account = try Account(kind: 7899, "", [["package", "1.0 \u{202e}x", "second"], ["single"]] + more)
    #expect(account.fact("Tag") == "package: 1.0 x second" && account.fact("Other tags") == "extra ×3")
    let tags = account.json["parts"]?.array?.filter { $0["label"] == "Tag" }.compactMap { $0["value"]?.string }
    #expect(tags?.count == 8 && tags?[1] == "single")
  }

  @Test("A long value in a profile is shown whole up to two thousand bytes") func longFields() throws {
    let (long, tooLong) = (String(repeating: "a", count: 2 << 10), String(repeating: "b", count: 3 << 10))
    let account = try Account(kind: 0, #"{"about":"\#(long)","more":"\#(tooLong)"}"#)
    let changes = try account.part("field-diff")["fields"]?.array ?? []
    #expect(changes.first { $0["name"] == "about" }?["after"]?.string == long)
    #expect(changes.first { $0["name"] == "more" }?["after"]?.string?.hasSuffix("b…") == true)
  }

  @Test("A reaction says which post it is for and who wrote that post") func aReactionSaysToWhichPostAndToWhom() throws {
    let (post, author) = (String(repeating: "c", count: 64), try KeyPair.random().publicKey)
    for (content, title) in [("+", "Like a post"), ("", "Like a post"), ("-", "Dislike a post"), ("🔥", "Sign a reaction")] {
      let account = try Account(kind: 7, content, [["e", post], ["p", author.hex], ["k", "1"]])
      #expect(account.title == title)
      #expect(try account.part("reference", "To the post")["id"]?.string == post)
      #expect(try account.part("peer")["npub"]?.string == author.npub)
    }
    #expect(try Account(kind: 7, "🔥").part("text")["text"] == "🔥")
  }

  @Test("A list that would be empty is called so, and one with encrypted entries is not") func emptiedLists() throws {
    for (kind, tags, name) in [(10000, [], "mute list"), (10002, [], "relay list"), (30003, [["d", "books"]], "bookmark set")]
      as [(Int, [[String]], String)]
    {
      let account = try Account(kind: kind, "", tags)
      #expect(account.title == "Empty a list of yours" && account.fact("Which") == name)
      #expect(account.warnings.contains { $0.hasPrefix("This list is empty.") })
    }
    func heading(_ text: String) throws -> RequestHeading? {
      RequestHeading(.signEvent, [Array(text.utf8)], identity: try KeyPair.random().publicKey, receivedAt: Account.receivedAt) {
        _ in
        Issue.record("what was signed before is not needed")
        return nil
      }
    }
    #expect(try heading(#"{"kind":10003,"content":"","tags":[]}"#) == .emptiedList)
    #expect(try heading(#"{"kind":10003,"content":"","tags":[["e","x"]]}"#) == nil)
    let hidden = try Account(kind: 10013, "encrypted")
    #expect(
      hidden.title != "Empty a list of yours" && hidden.fact("Entries") == "only encrypted ones, which Holdfast does not read")
    #expect(!hidden.warnings.contains { $0.hasPrefix("This list is empty.") })
    let before = EventTemplate(kind: 10000, tags: [["word", "spam"], ["word", "scam"], ["word", "ad"]], content: "")
    let less = try Account(kind: 10000, "", [["word", "ad"]], before: before)
    #expect(try less.part("list-diff")["removed_count"] == 2 && less.warnings.first?.contains("2 of 3 would be gone") == true)
  }

  @Test("A follow list shows who is added and who is removed") func aFollowListShowsWhoIsAddedAndWhoIsRemoved() throws {
    let people = try (0..<4).map { _ in try KeyPair.random().publicKey }
    func list(_ keys: some Sequence<PublicKey>) -> [[String]] { keys.map { ["p", $0.hex] } }
    let before = EventTemplate(kind: 3, tags: list(people[..<3]), content: "")
    let change = try Account(kind: 3, "", list(people[1...]), before: before).part("list-diff")
    #expect(change["baseline"] == true && change["kept"] == 2)
    #expect(change["added_count"] == 1 && change["added"]?[0]?["npub"]?.string == people[3].npub)
    #expect(change["removed_count"] == 1 && change["removed"]?[0]?["npub"]?.string == people[0].npub)
    let wiped = try Account(kind: 3, "", [], before: before)
    #expect(wiped.warnings == ["Nothing of the present list is left."])
    let first = try Account(kind: 3, "", list(people))
    #expect(try first.part("list-diff")["baseline"] == false && first.part("list-diff")["added_count"] == 4)
    #expect(first.warnings.first?.contains("no earlier follow list") == true)
    let most = try Account(kind: 3, "", list(people[2...]), before: before)
    #expect(most.warnings.first?.contains("2 of 3 would be gone") == true, "as loud as a deletion")
    #expect(try Account(kind: 3, "", list(people[1...]), before: before).warnings.isEmpty)
  }

  @Test("Ten people who go, or three who are a tenth of the list, are a warning; one or two are everyday use")
  func losingManyIsAWarning() throws {
    let people = try (0..<60).map { _ in ["p", try KeyPair.random().publicKey.hex] }
    func warnings(losing lost: Int, of all: Int) throws -> [String] {
      let before = EventTemplate(kind: 3, tags: Array(people[..<all]), content: "")
      return try Account(kind: 3, "", Array(people[lost..<all]), before: before).warnings
    }
    #expect(try warnings(losing: 10, of: 60).first?.contains("10 of 60 would be gone") == true)
    #expect(try warnings(losing: 3, of: 30).first?.contains("3 of 30 would be gone") == true)
    #expect(try warnings(losing: 3, of: 60).isEmpty && warnings(losing: 2, of: 10).isEmpty)
  }

  @Test("A relay list shows which relays are added and removed, and for reading or writing")
  func aRelayListShowsWhatChangesAndForWhatUse() throws {
    let before = EventTemplate(kind: 10002, tags: [["r", "wss://a"], ["r", "wss://b", "read"]], content: "")
    let change = try Account(kind: 10002, "", [["r", "wss://a"], ["r", "wss://b", "write"]], before: before).part("list-diff")
    #expect(change["added"]?[0]?["text"] == "wss://b (write)" && change["removed"]?[0]?["text"] == "wss://b (read)")
    #expect(change["kept"] == 1)
  }

  /// An app may invent fields without end, and each may be one that some client pays by.
  @Test("A payment address is shown first, however many other fields a profile has") func paymentsAreShownFirst() throws {
    let invented = (0..<40).map { #""field\#($0)":"fine""# }.joined(separator: ",")
    let account = try Account(kind: 0, "{\(invented),\"lud16\":\"mallory@evil.example\"}")
    let fields = try unwrap(try account.part("field-diff")["fields"]?.array)
    #expect(fields.first?["name"] == "lud16" && fields.first?["after"] == "mallory@evil.example")
  }

  @Test("A profile shows each changed field before and after, with a warning if payments go elsewhere")
  func aProfileShowsEachFieldBeforeAndAfter() throws {
    let before = EventTemplate(kind: 0, content: #"{"name":"alice","about":"old","lud16":"a@b.c","n":1}"#)
    let account = try Account(kind: 0, #"{"name":"alice","about":"new","lud16":"x@y.z"}"#, before: before)
    let fields = try unwrap(try account.part("field-diff")["fields"]?.array)
    try #require(fields.count == 3)
    #expect(fields[0]["before"] == "a@b.c" && fields[0]["after"] == "x@y.z", "where payments go is read first")
    #expect(fields[0]["warning"]?.string?.contains("where payments to you go") == true && account.warnings.isEmpty)
    #expect(fields[1] == ["name": "about", "before": "old", "after": "new"])
    #expect(fields[2] == ["name": "n", "before": "1", "after": nil])
    let first = try Account(kind: 0, #"{"lud16":"x@y.z"}"#)
    #expect(try first.part("field-diff")["baseline"] == false && first.part("field-diff")["fields"]?[0]?["warning"] != nil)
    #expect(first.warnings.first?.contains("no earlier profile") == true)
    let unreadable = try Account(kind: 0, "no json")
    #expect(unreadable.warnings == ["Apps cannot read this profile, or each reads it differently."])
    let same = try Account(kind: 0, #"{"lud16":"a@b.c","n":1,"name":"alice","about":"old"}"#, before: before)
    #expect(try same.part("field-diff")["fields"]?.array?.isEmpty == true && same.fact("Payments go to") == "a@b.c")
    #expect(same.fact("Profile") == "the same as the last one that was signed here")
    let loud = try Account(kind: 0, #"{"LUD16":"x@y.z"}"#, before: before)
    #expect(try loud.part("field-diff")["fields"]?.array?.first { $0["name"] == "LUD16" }?["warning"] != nil)
  }

  @Test("A profile shows each changed tag that may name a payment address, and is not called the same then")
  func aProfileShowsTagsThatMayDirectPayments() throws {
    let content = #"{"name":"alice","lud16":"a@b.c"}"#
    let before = EventTemplate(kind: 0, tags: [["w", "BTC", "bc1qalice"]], content: content)
    let tags = [["lud16", "x@y.z"], ["published_in", "a"], ["i", "github:alice"]]
    let account = try Account(kind: 0, content, tags, before: before)
    let fields = try unwrap(try account.part("field-diff")["fields"]?.array)
    #expect(fields.map { $0["name"] } == ["tag lud16", "tag published_in", "tag w"])
    #expect(fields[0]["after"] == "x@y.z" && fields[2]["before"] == "BTC bc1qalice")
    #expect(fields[0]["warning"]?.string?.contains("where payments to you go") == true)
    #expect(fields[1]["warning"]?.string?.contains("Some apps may read") == true)
    #expect(account.fact("Profile") == nil && account.fact("Other tags") == "i")
  }

  @Test("A login shows the host or relay that it is for") func aLoginNamesTheHostItIsFor() throws {
    let web = try Account(
      kind: 27235, "", [["u", "https://api.example.com/v1/x?y=1"], ["method", "POST"], ["payload", "abc"]])
    let url = try web.part("url")
    #expect(web.title == "Log in to a website: api.example.com" && url["host"] == "api.example.com" && url["method"] == "POST")
    #expect(web.warnings.isEmpty && web.fact("It may") == "change something on the website (POST)")
    #expect(try Account(kind: 27235, "", [["method", "GET"]]).title == RequestHeading.unnamedSite.words)
    #expect(try Account(kind: 22242, "", [["challenge", "c"]]).title == RequestHeading.unnamedRelay.words)
    let relay = try Account(kind: 22242, "", [["relay", "wss://relay.example.com/"], ["challenge", "c"]])
    #expect(relay.title == "Log in to a relay: relay.example.com" && relay.warnings.isEmpty)
    #expect(try relay.part("relay")["url"] == "wss://relay.example.com/")
  }

  @Test(
    "A login to a deceptive, unencrypted or unusual address shows its real host and a warning",
    arguments: [
      ("https://good.example@evil.example/", "evil.example", "look like another"),
      (#"https://evil.example\@good.example/"#, "evil.example", "look like another"),
      ("https://аpple.com/", "аpple.com", "letters that look like others"),
      ("https://xn--pple-43d.com/", "xn--pple-43d.com", "letters that look like others"),
      ("http://shop.example/", "shop.example", "not encrypted"), ("javascript:alert(1)", "", "not a web address"),
      ("ftp://x/", "x", "unusual scheme"), ("https:///path", "", "names no host"), ("", "", "not a web address"),
    ])
  func anAddressThatDeceivesIsPointedOut(address: String, host: String, warning: String) throws {
    let account = try Account(kind: 27235, "", [["u", address], ["method", "GET"]])
    #expect(try account.part("url")["host"]?.string == host)
    #expect(account.warnings.contains { $0.contains(warning) }, "\(account.warnings)")
  }

  @Test("An encryption request shows the recipient and the text, and a decryption request whom the message is between")
  func aMessageSaysToWhomAndWhat() throws {
    let (me, peer) = (try KeyPair.random().publicKey, try KeyPair.random().publicKey)
    let account = try Account(.nip44Encrypt, [peer.hex, "meet at nine"], identity: me)
    #expect(try account.part("peer")["npub"]?.string == peer.npub && account.part("peer")["self"] == false)
    #expect(try account.part("text")["text"] == "meet at nine")
    let mine = try Account(.nip44Encrypt, [me.hex, "notes"], identity: me)
    #expect(try mine.part("peer")["self"] == true && mine.title == "Encrypt something for yourself")
    let rumor = Account.template(14, "hello inside", [["p", peer.hex]])
    let inner = try Account(.nip44Encrypt, [peer.hex, rumor], identity: me)
    #expect(try inner.part("text")["text"] == "hello inside" && inner.fact("Contains") == "an event: direct message")
    let opened = try Account(.nip44Decrypt, [peer.hex, "AAAA"], identity: me)
    #expect(
      try opened.part("peer", "Between you and")["npub"]?.string == peer.npub && opened.fact("Size") == "4 bytes, encrypted")
    #expect(opened.fact("Written by") == "one of you two; the encryption does not say which")
    let own = try Account(.nip44Decrypt, [me.hex, "AAAA"], identity: me)
    #expect(own.fact("Written by") == nil && own.title == "Decrypt something of your own")
    #expect(try Account(.nip04Decrypt, ["zz", "x"]).fact("Written by") == nil)
    #expect(try Account(.nip04Decrypt, ["zz", "x"]).fact("Between you and") == "this is not a valid key")
  }

  @Test("A private message that is not encrypted is shown, with a warning") func aReadableMessageWarns() throws {
    let readable = try Account(kind: 4, "hello kind 4")
    #expect(try readable.part("text")["text"] == "hello kind 4")
    #expect(readable.warnings.contains { $0.hasPrefix("This message is not encrypted") } && readable.fact("Content") == nil)
    let sealed = try Account(kind: 4, "QUJDREVGR0hJSktMTU5PUA==?iv=QUJDREVGR0hJSktMTU5PUA==")
    #expect(sealed.fact("Content")?.hasSuffix("already encrypted, so the text cannot be shown") == true)
    #expect(!sealed.warnings.contains { $0.hasPrefix("This message is not encrypted") })
  }

  @Test("An event that changes a wallet shows a warning", arguments: [7374, 7375, 7376, 17375, 23194])
  func aWalletKindWarns(kind: Int) throws {
    let account = try Account(kind: kind, String(repeating: "Ab1+", count: 40))
    #expect(account.warnings == ["This belongs to a wallet: it can move or lose money."])
    #expect(account.fact("Content") == "160 bytes, already encrypted, so the text cannot be shown")
    #expect(try Account(kind: kind, "plain words").part("text")["text"] == "plain words", "only what is encrypted is called so")
  }

  @Test("A nutzap shows its comment, recipient, mint, and what its tokens are worth together")
  func aNutzapShowsWhatItsTokensAreWorth() throws {
    let recipient = try KeyPair.random().publicKey
    let proofs = [["proof", #"{"amount":8,"secret":"s"}"#], ["proof", #"{"amount":13}"#]]
    let tags = [["p", recipient.hex], ["u", "https://mint.example.com"], ["unit", "sat"], ["amount", "21"]] + proofs
    let account = try Account(kind: 9321, "thanks", tags)
    #expect(try account.part("text", "Comment")["text"] == "thanks")
    #expect(try account.part("peer", "To")["npub"]?.string == recipient.npub)
    #expect(account.fact("Mint") == "https://mint.example.com" && account.fact("Amount") == "21 sat")
    #expect(account.fact("Content") == nil && account.fact("Other tags") == nil && account.warnings.count == 1)
    let lying = try Account(kind: 9321, "", [["amount", "1"]] + proofs)
    #expect(lying.fact("Amount") == "21 sat" && lying.fact("Amount that it names") == "1" && lying.warnings.count == 2)
    for unreadable in [
      [], [["proof", "x"]], [["proof", #"{"amount":-8}"#]], proofs + [["proof", #"{"amount":9223372036854775807}"#]],
    ] {
      let account = try Account(kind: 9321, "", unreadable)
      #expect(account.fact("Amount") == nil && account.warnings.last?.contains("cannot be read") == true)
    }
  }

  @Test("What a wallet service announces is shown as it is") func aWalletServiceIsShown() throws {
    let account = try Account(kind: 13194, "pay_invoice get_balance", [["encryption", "nip44_v2"]])
    #expect(try account.part("text")["text"] == "pay_invoice get_balance" && account.fact("Content") == nil)
    #expect(account.fact("Encryption it can use") == "nip44_v2")
    #expect(try Account(.nip44Decrypt, [String(repeating: "a", count: 64), "A"]).fact("Size") == "1 byte, encrypted")
  }

  @Test("People who are paid instead of the author are shown") func whoIsPaidInTheAuthorsPlaceIsShown() throws {
    let thief = try KeyPair.random().publicKey
    let account = try Account(kind: 1, "hi", [["zap", thief.hex, "wss://r", "1"]])
    #expect(try account.part("peer", "Zaps go to")["npub"]?.string == thief.npub && account.warnings.count == 1)
  }

  @Test("A request to vanish names every relay in words, and a login that deletes files says so in its title")
  func whatErasesIsNamed() throws {
    let account = try Account(kind: 62, "", [["relay", "ALL_RELAYS"], ["relay", "wss://relay.example"]])
    #expect(account.fact("To") == "every relay" && account.fact("Relay") == "wss://relay.example")
    let title = RequestHeading.fileDeletion.words
    #expect(try Account(kind: 24242, "", [["t", "delete"]]).title == title)
    #expect(try Account(kind: 24242, "", [["t", "upload"]]).title != title)
  }

  @Test("A deletion shows what would be deleted") func aDeletionShowsWhatGoes() throws {
    let account = try Account(kind: 5, "spam", [["e", "one"], ["e", "two"], ["a", "30023:x:y"], ["k", "1"]])
    #expect(account.title == "Ask relays to delete 3 posts" && account.parts("reference").count == 3)
    #expect(try Account(kind: 5, "spam", []).title == "Ask relays to delete, without naming a post")
  }

  @Test("A deletion of a profile or a list says which, before all else") func aDeletionOfAListSaysWhich() throws {
    let titles = [
      "0": "Ask relays to delete your profile", "3": "Ask relays to delete the list of people you follow",
      "10000": "Ask relays to delete a list of yours",
    ]
    for (kind, title) in titles {
      let account = try Account(kind: 5, "old draft", [["e", "one"], ["k", "1"], ["k", kind]])
      #expect(account.title == title && account.warnings.count == 2)
      #expect(account.parts("fact").contains { $0["label"]?.string == "Of kind, as the app says" })
    }
    let all = try Account(kind: 5, "", [["k", "10002"], ["k", "3"], ["k", "0"]])
    #expect(all.title == "Ask relays to delete your profile" && all.warnings.count == 4)
  }

  @Test("An event of an unknown kind says so and shows its text") func anUnknownKindSaysSoAndShowsItsText() throws {
    let account = try Account(kind: 40_404, "something")
    #expect(account.title == "Sign an event of kind 40404" && account.json["kind_name"] == "kind 40404")
    #expect(try account.part("text")["text"] == "something" && account.fact("Kind")?.contains("raw event") == true)
  }

  @Test("A date is shown only if the app chose one that differs by more than five minutes")
  func aDateIsShownOnlyWhereItWasChosen() throws {
    #expect(try Account(kind: 1, "x", at: Account.receivedAt - 290).parts("date").isEmpty)
    #expect(try Account(kind: 1, "x").parts("date").isEmpty)
    #expect(try !Account(kind: 1, "x", at: Account.receivedAt).parts("fact").contains { $0["label"]?.string == "Dated" })
    let old = try Account(kind: 1, "x", at: Account.receivedAt - 301)
    #expect(try old.part("date")["time"]?.integer == Account.receivedAt - 301 && old.warnings.isEmpty)
    let future = try Account(kind: 1, "x", at: Account.receivedAt + 301)
    #expect(future.warnings == ["It is dated in the future."])
    #expect(try Account(kind: 27235, "", at: 5).parts("date").isEmpty)
  }

  @Test("Every known event kind has a name and a title in words") func everyKnownKindHasWordsOfItsOwn() throws {
    for kind in 0...65_535 where KindName.isKnown(kind) {
      let name = KindName(kind)
      #expect(!name.name.isEmpty && !name.title.isEmpty && !name.many.isEmpty && !name.title.contains("kind \(kind)"))
    }
  }

  @Test("Similar requests are counted together as one batch") func requestsThatAreAlikeAreCountedTogether() throws {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "low")
    for n in 0..<3 { try signer.deliver(app, "sign_event", [Account.template(7, "+", [["e", "\(n)"]])]) }
    try signer.deliver(app, "sign_event", [note("a")])
    try signer.deliver(app, "sign_event", [Account.template(3, "", [])])
    let list = try unwrap(try signer.operations.ask("request/list")["requests"]?.array)
    #expect(list.map { $0["batch_title"]?.string } == ["3 likes", "3 likes", "3 likes", "1 note", "1 follow list"])
    #expect(Set(list.prefix(3).map { $0["batch"]?.string }).count == 1 && list[0]["batch"] != list[3]["batch"])
    #expect(list[4]["batch"]?.isNull == true)
    signer.close()
  }

  @Test(
    "Payments, deletions, profiles, follow lists, statements for the key and unknown kinds are grave",
    arguments: [
      (0, "grave"), (3, "grave"), (5, "grave"), (62, "grave"), (7375, "grave"), (443, "grave"), (54_321, "grave"),
      (10_002, "careful"), (30_078, "careful"), (22_242, "careful"), (1, "usual"), (7, "usual"), (30_023, "usual"),
    ])
  func aRiskIsTold(kind: Int, risk: String) throws {
    let account = try Account(kind: kind, "{}", [["relay", "wss://relay.example"]])
    #expect(account.json["risk"]?.string == risk)
    #expect((account.json["risk_reason"]?.string == nil) == (risk == "usual"), "each mark has its reason")
    if risk == "grave" { #expect(account.json["batch"] == .null) }
  }

  @Test(
    "The reason of a mark names what the request would do",
    arguments: [
      (0, "sets your whole profile"), (3, "sets your whole follow list"), (5, "cannot be undone"),
      (10_002, "changes where you are found"),
      (10_006, "sets a whole list of yours"), (13_194, "about a wallet"), (23_194, "costs money"), (9_735, "about money"),
      (10_133, "changes where payments to you go"), (30_078, "changes what an app keeps"), (22_242, "logs in as you"),
      (27_235, "logs in as you"), (8_041, "speaks for your key"), (9_999, "the signer does not know this kind"),
    ])
  func aMarkHasItsReason(kind: Int, reason: String) throws {
    #expect(try Account(kind: kind, "{}", [["relay", "wss://relay.example"]]).json["risk_reason"]?.string == reason)
  }

  @Test("Every kind about which medium trust asks is marked with a reason") func everyGuardedKindHasAReason() throws {
    for entry in KindTable.entries where entry.care > .usual {
      #expect(try Account(kind: entry.kinds.lowerBound, "{}").json["risk_reason"]?.string?.isEmpty == false)
    }
  }

  @Test("Reading a message wants a closer look than writing one, and what pays others is grave")
  func theRiskOfMessagesAndZapSplits() throws {
    let (me, other) = (try KeyPair.random().publicKey, try KeyPair.random().publicKey)
    func risk(_ method: RemoteSigning.Method, _ key: PublicKey) throws -> String? {
      try Account(method, [key.hex, "x"], identity: me).json["risk"]?.string
    }
    #expect(try risk(.nip44Decrypt, other) == "careful" && risk(.nip44Decrypt, me) == "grave")
    #expect(try risk(.nip44Encrypt, other) == "usual")
    let split = try Account(kind: 1, "x", [["zap", other.hex, "wss://relay.example", "1"]], identity: me)
    #expect(split.json["risk"] == "grave")
  }
}
