import JSON
import OwnerAPI
import ResponseTexts
import Testing

@testable import HoldfastCommands

/// Waiting requests on a terminal.
@Suite struct RequestTextTests {
  private static func part(_ type: RequestPart.Kind, _ label: String? = nil, _ fill: (inout RequestPart) -> Void) -> RequestPart {
    var part = RequestPart(type)
    part.label = label
    fill(&part)
    return part
  }

  private static func entry(_ text: String) -> ListEntry {
    var entry = ListEntry()
    entry.text = text
    return entry
  }

  static let account: WaitingRequest = {
    var request = WaitingRequest()
    (request.id, request.title, request.reason) = ("3f2a77aa", "Sign a note", "low trust asks everything")
    (request.client.name, request.client.pubkey, request.client.url) = ("Amethyst", "ab", "https://a.example")
    (request.identity.name, request.received, request.repeats) = ("main", 9000, 1)
    request.parts = [
      part(.text, "Text") { ($0.text, $0.isTruncated) = ("one\n[Approve]", true) },
      part(.peer, "To") { ($0.npub, $0.isSelf) = ("npub1x", true) },
      part(.url, "Address") { ($0.url, $0.method) = ("https://x/", "GET") }, part(.warning) { $0.text = "Beware." },
      part(.listChange, "Follows") {
        ($0.added, $0.removed, $0.hasBaseline) = ([entry("npub1a")], [entry("npub1r")], true)
        ($0.addedCount, $0.removedCount, $0.kept) = (1, 5, 7)
      },
      part(.fieldChange, "Profile") {
        var change = FieldChange()
        (change.name, change.before) = ("about", "old")
        $0.changes = [change]
      },
      part(.date, "Dated") { $0.time = 0 },
    ]
    return request
  }()

  @Test("The account of a request shows all that the owner needs to decide") func anAccountIsReadFromTopToBottom() {
    let text = RequestText.account(Self.account, 10_000)
    for part in [
      "3f2a77aa  ! Sign a note", "Amethyst", "16 minutes ago, 2 times", "    | one\n    | [Approve]\n    … and more",
      "npub1x (yourself)",
      "GET https://x/", "  ! Beware.", "1 added, 5 removed, 7 kept", "    - npub1r\n    - … and 4 more\n    + npub1a",
      "“about” was:\n      | old\n    “about” will be removed.", "holdfast request approve 3f2a77aa",
    ] { #expect(text.contains(part), "\(part)") }
  }

  @Test("A payment address is shown once in a question, and as new where the profile so far is not known") func paymentAddress() {
    var request = WaitingRequest()
    (request.id, request.title, request.risk) = ("3f2a77aa", "Change where payments to you go", .grave)
    var address = FieldChange()
    (address.name, address.after, address.warning) = ("lud16", "ada@pay.example", "Payments to you would go here.")
    var about = FieldChange()
    (about.name, about.after) = ("about", String(repeating: "long ", count: 400))
    func explanation(_ changes: [FieldChange]) -> String {
      request.parts = [Self.part(.fieldChange, "Profile") { ($0.changes, $0.hasBaseline) = (changes, false) }]
      return RequestText.explanation(request).joined(separator: "\n")
    }
    for changes in [[address, about], [about, address]] {
      let text = explanation(changes)
      #expect(
        text.split(separator: "ada@pay.example", omittingEmptySubsequences: false).count == 2 && text.contains("… all of it"),
        "\(text)")
    }
    #expect(RequestLine.text(request).hasSuffix("(“lud16” will be “ada@pay.example”)"))
    request.parts[0].hasBaseline = true
    #expect(RequestLine.text(request).hasSuffix("(“lud16”: nothing → “ada@pay.example”)"))
  }

  @Test("Requests that are alike are one entry of the list, and each is shown on demand") func alikeRequestsAreOneEntry() {
    var answer = RequestList.Response()
    answer.requests = ["aaaa0001", "bbbb0002", "cccc0003", "dddd0004"].map { id in
      var request = Self.account
      (request.id, request.title, request.summary, request.risk) = (id, "Like a note", "sign kind 7", .usual)
      (request.batch, request.batchTitle) = id == "bbbb0002" ? (nil, "1 like") : ("app-7", "3 likes")
      return request
    }
    let reader = Reader(now: 10_000)
    let text = RequestListCommand.text(answer, reader)
    let below = ": “one [Approve]”\n          Warning: Beware.\n          as main, 16 minutes ago: "
    let texts = ["aaaa0001", "cccc0003", "dddd0004"].map { "\n          \($0)  “one [Approve]”" }.joined()
    #expect(text.contains("aaaa0001  Amethyst: 3 likes\(texts)\n          Warning: Beware.\n"), "nobody approves a text unseen")
    #expect(text.contains("bbbb0002  Amethyst: Like a note\(below)"))
    #expect(text.contains("\nTo answer 3 that are alike: holdfast request approve --all-like aaaa0001"))
    let full = RequestListCommand.text(answer, reader, isFull: true)
    for request in answer.requests { #expect(full.contains("\(request.id)  Amethyst: Like a note\(below)")) }
    answer.requests = [answer.requests[1]]
    #expect(!RequestListCommand.text(answer, reader).contains("alike"))
  }

  @Test("An app's text in a list of requests ends in the signer's quotation marks") func anExcerptStaysQuoted() {
    var answer = RequestList.Response()
    answer.requests = [Self.account]
    answer.requests[0].parts[0].text = "hi\", 0 tags"
    #expect(RequestListCommand.text(answer, Reader(now: 10_000)).contains("Amethyst: Sign a note: “hi\", 0 tags”\n"))
    answer.requests[0].parts[0].label = "Its reason, as the app gives it"
    #expect(RequestListCommand.text(answer, Reader(now: 10_000)).contains("Amethyst: Sign a note (reason: “hi\", 0 tags”)\n"))
  }

  @Test("An answer says which requests it settled") func anAnswerSaysWhatItReached() {
    var answer = AnsweredRequests()
    answer.answered = ["a"]
    #expect(answer.text(.approve) == "Approved.")
    var missing = UnansweredRequest()
    (missing.id, missing.why) = ("c", "gone")
    (answer.answered, answer.missing, answer.also) = (["a", "b"], [missing], ["d"])
    #expect(
      answer.text(.approve)
        == "Approved: 2 requests.\nYour new rule answered 1 more.", "what was not answered is an error of its own")
  }

  @Test("After an approval, only what did not go as it should is said") func whatBecameOfAnApproval() {
    func outcome(_ state: RequestOutcome.State, _ failure: String? = nil) -> RequestOutcome {
      var outcome = RequestOutcome()
      (outcome.state, outcome.failure) = (state, failure)
      return outcome
    }
    let fine = ApprovalOutcome([outcome(.delivered)])
    #expect(fine.text == nil && !fine.isBad)
    let slow = ApprovalOutcome([outcome(.done)])
    #expect(slow.text == "It is still on its way: no relay has taken the answer yet." && !slow.isBad)
    let mixed = ApprovalOutcome([outcome(.delivered), outcome(.failed, "it was malformed"), outcome(.undelivered)])
    #expect(mixed.isBad && mixed.text?.hasPrefix("1 of 3 failed: it was malformed. ") == true)
    #expect(mixed.text?.contains("\n1 of 3 was done, but no relay took the answer") == true)
    #expect(ApprovalOutcome([outcome(.failed, "it was malformed")]).text?.hasPrefix("It failed: it was malformed.") == true)
  }

  @Test("An answer that reached nothing says so") func anAnswerThatReachedNothing() {
    #expect(AnsweredRequests().text(.approve) == "Nothing was approved: none of these requests waits.")
  }

  @Test("Watched requests are shown as text or as lines of JSON") func whatIsWatchedIsToldInLinesOrInWords() {
    var news = RequestWatch.Response()
    news.requests = [Self.account]
    news.ended = [("a", true), ("b", nil)].map { (id: String, isApproved: Bool?) in
      var ended = EndedRequest()
      (ended.id, ended.isApproved) = (id, isApproved)
      return ended
    }
    let words = WatchText.text(news, isFirst: true, now: 10_000)
    #expect(words.count == 3 && words[1] == "Request a was approved.\n" && words[2] == "Request b ended without an answer.\n")
    #expect(WatchText.text(RequestWatch.Response(), isFirst: true, now: 0).first?.contains("Nothing waits") == true)
    #expect(WatchText.text(RequestWatch.Response(), isFirst: false, now: 0).isEmpty)
    let lines = WatchText.lines(["requests": [["id": "3f2a77aa"]], "ended": [["id": "a", "approved": true]]])
    #expect(
      lines.map { String(decoding: $0.serialized(), as: UTF8.self) } == [
        #"{"waits":{"id":"3f2a77aa"}}"#, #"{"ended":"a","approved":true}"#,
      ])
  }

  @Test("Where a letter answers a request, no command stands beside it, and its line has the beginning of its text")
  func aWatchedRequestIsAnsweredByLetters() {
    let shown = WatchText.numbered(1, Self.account, Reader(now: 10_000))
    #expect(shown.hasPrefix("Request 1\n") && !shown.contains("holdfast request") && !shown.contains("request deny"))
    #expect(RequestText.account(Self.account, 10_000).contains("request approve"))
    var request = Self.account
    var text = RequestPart()
    (text.type, text.label, text.text) = (.text, "Text", "one two three four five six seven eight nine ten\neleven")
    (request.title, request.client.name, request.parts) = ("Publish a note", "Noisy", [text])
    let title = RequestLine.title(request)
    #expect(title.hasPrefix("Noisy: Publish a note: “one two three") && !title.contains("eleven") && title.count < 80)
    (request.isHidden, request.parts) = (true, [])
    #expect(RequestLine.title(request) == "Noisy: Publish a note", "as in the list")
  }
}
