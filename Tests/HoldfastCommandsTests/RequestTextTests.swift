import JSON
import Testing

@testable import HoldfastCommands

/// Waiting requests on a terminal.
@Suite struct RequestTextTests {
  static let account: JSONValue = [
    "id": "3f2a77aa", "title": "Sign a note", "client": ["name": "Amethyst", "pubkey": "ab", "url": "https://a.example"],
    "identity": ["name": "main"], "received": 9000, "repeats": 1, "reason": "low trust asks everything",
    "parts": [
      ["type": "text", "label": "Text", "text": "one\n[Approve]", "truncated": true],
      ["type": "peer", "label": "To", "npub": "npub1x", "self": true],
      ["type": "url", "label": "Address", "url": "https://x/", "method": "GET"], ["type": "warning", "text": "Beware."],
      [
        "type": "list-diff", "label": "Follows", "added": [["text": "npub1a"]], "removed": [["text": "npub1r"]], "added_count": 1,
        "removed_count": 5, "kept": 7, "baseline": true,
      ],
      ["type": "field-diff", "label": "Profile", "fields": [["name": "about", "before": "old", "after": nil]]],
      ["type": "date", "label": "Dated", "time": 0], ["type": "of tomorrow", "label": "x"],
    ],
  ]

  @Test func anAccountIsReadFromTopToBottom() {
    let text = ResultText.text(for: "request/show", Self.account, now: 10_000)
    for part in [
      "3f2a77aa  Sign a note", "Amethyst", "16 min ago, 2 times", "    | one\n    | [Approve]\n    … and more",
      "npub1x (yourself)",
      "GET https://x/", "  ! Beware.", "1 added, 5 removed, 7 kept", "    - npub1r\n    - … and 4 more\n    + npub1a",
      "about was:     “old”\n    about will be: nothing, it is removed", "holdfast request approve 3f2a77aa",
    ] { #expect(text.contains(part), "\(part)") }
  }

  @Test func anAnswerSaysWhatItReached() {
    func text(_ result: JSONValue) -> String { ResultText.text(for: "request/approve", result, now: 0) }
    #expect(text(["answered": ["a"], "missing": [], "also": []]) == "Approved.")
    #expect(
      text(["answered": ["a", "b"], "missing": [["id": "c", "why": "gone"]], "also": ["d"]])
        == "Approved: 2 requests.\nBy the rule you just made, 1 more went on.\nNot answered: c: gone.")
  }

  @Test func whatIsWatchedIsToldInLinesOrInWords() {
    let news: JSONValue = ["requests": [Self.account], "ended": [["id": "a", "approved": true], ["id": "b", "approved": nil]]]
    let words = WatchText.text(news, isFirst: true, now: 10_000)
    #expect(words.count == 3 && words[1] == "a  approved\n" && words[2] == "b  ended without an answer\n")
    #expect(WatchText.text([:], isFirst: true, now: 0).first?.contains("Nothing waits") == true)
    #expect(WatchText.text([:], isFirst: false, now: 0).isEmpty)
    let lines = WatchText.lines(news)
    #expect(
      lines.count == 3 && lines[0].hasPrefix(#"{"waits":{"id":"3f2a77aa""#) && lines[1] == #"{"ended":"a","approved":true}"#)
  }
}
