import DaemonSupport
import JSON
import Nostr
import Testing

/// What the title and the mark of a new profile or follow list say of it.
@Suite struct ReplacementEffectTests {
  private static let before = EventTemplate(
    kind: 0, tags: [["i", "github:alice"]], content: #"{"name":"alice","lud16":"a@b.c"}"#)

  private static func account(_ content: String, _ tags: [[String]] = [["i", "github:alice"]]) throws -> Account {
    try Account(kind: 0, content, tags, before: before)
  }

  @Test(
    "A profile with another payment address, or with none any more, says so in its title and its mark",
    arguments: [
      #"{"name":"alice","lud16":"x@y.z"}"#, #"{"name":"alice","lud16":"a@b.c","lud06":"lnurl1x"}"#, #"{"name":"alice"}"#,
    ])
  func paymentsElsewhereAreTheTitle(content: String) throws {
    let account = try Self.account(content)
    #expect(account.title == "Change where payments to you go")
    #expect(account.json["risk"] == "grave" && account.json["risk_reason"] == "changes where payments to you go")
  }

  @Test("A tag that names a payment address says so too") func aTagIsTheTitle() throws {
    let account = try Self.account(#"{"name":"alice","lud16":"a@b.c"}"#, [["i", "github:alice"], ["lud16", "x@y.z"]])
    #expect(account.title == "Change where payments to you go")
  }

  @Test("A profile that keeps its payment addresses is an ordinary change")
  func anotherNameIsOrdinary() throws {
    let account = try Self.account(#"{"name":"Alice","lud16":"a@b.c"}"#)
    #expect(account.title == "Change your profile" && account.json["risk"] == "careful")
    #expect(account.json["risk_reason"] == "changes your profile")
  }

  @Test(
    "A profile that loses a field or has a new one that may direct payments is serious",
    arguments: [
      #"{"lud16":"a@b.c"}"#, #"{"name":"","lud16":"a@b.c"}"#, #"{"name":null,"lud16":"a@b.c"}"#,
      #"{"name":"alice","name":"mallory","lud16":"a@b.c"}"#, #"{"name":"alice","lud16":"a@b.c","payto":"x@y.z"}"#,
    ])
  func aLossIsSerious(content: String) throws {
    #expect(try Self.account(content).json["risk"] == "grave")
  }

  @Test("A follow list that only adds is marked lower than one that loses somebody or is compared with nothing")
  func addedFollowsAreLower() throws {
    let follows = [["p", String(repeating: "1", count: 64)], ["p", String(repeating: "2", count: 64)]]
    let before = EventTemplate(kind: 3, tags: [follows[0]], content: "")
    let added = try Account(kind: 3, "", follows, before: before)
    #expect(added.json["risk"] == "careful" && added.json["risk_reason"] == "adds people you follow")
    #expect(added.title == "Change who you follow")
    #expect(try Account(kind: 3, "", [follows[1]], before: before).json["risk"] == "grave")
    #expect(try Account(kind: 3, "", follows).json["risk"] == "grave", "nobody knows what it replaces")
  }

  @Test("A profile that changes nothing has no mark, whichever app wrote it")
  func nothingChangedIsNotSerious() throws {
    let content = #"{"lud16":"a@b.c","name":"alice"}"#
    let same = try Self.account(content, [["i", "github:alice"], ["client", "c"]])
    #expect(same.json["risk"] == "usual" && same.json["risk_reason"] == .null)
    #expect(same.title == "Sign your profile again, unchanged")
    let others = try Self.account(content, [["i", "github:mallory"]])
    #expect(others.json["risk"] == "grave", "a tag is a change, too")
    #expect(try Account(kind: 0, content).json["risk"] == "grave", "nobody knows what it replaces")
  }

  @Test("A follow list that changes nothing has no mark; other words in it are marked")
  func theSameFollowsAreNotSerious() throws {
    let follows = [["p", String(repeating: "1", count: 64)], ["p", String(repeating: "2", count: 64), "", "bob"]]
    let before = EventTemplate(kind: 3, tags: follows, content: "")
    let same = try Account(kind: 3, "", follows.reversed(), before: before)
    #expect(same.json["risk"] == "usual" && same.title == "Sign your follow list again, unchanged")
    for (content, tags) in [("", [follows[0]]), ("", [follows[0], ["p", follows[1][1], "", "carol"]]), ("{}", follows)] {
      let changed = try Account(kind: 3, content, tags, before: before)
      #expect(changed.json["risk_reason"] == "sets your whole follow list" && changed.title == "Change who you follow")
    }
  }
}
