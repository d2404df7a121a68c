import OwnerAPI
import Testing

@testable import HoldfastCommands

@Suite struct WatchedAnswerTests {
  @Test(
    "What is typed below waiting requests is an answer, or none",
    arguments: [
      ("a", WatchedAnswer.approve(nil)), ("a 2", .approve(2)), ("A2", .approve(2)), ("approve 12", .approve(12)),
      ("d", .deny(nil)),
      ("deny 3", .deny(3)), ("7", .show(7)), ("q", .quit), ("quit", .quit), ("?", .help), ("help", .help), ("? 2", .help),
      ("", nil), ("y", nil), ("a b", nil), ("a 1 2", nil),
      ("a 1h", .approve(nil, for: .hour)), ("d 2 always", .deny(2, for: .always)), ("a2 5m", .approve(2, for: .fiveMinutes)),
      ("2 1h", nil), ("1h", nil), ("q 1h", nil), ("a 1h 2", nil), ("a 1h 1h", nil),
      ("a 30m", .approve(nil, for: .time(1800))), ("d 2 3d", .deny(2, for: .time(259_200))),
      ("a 2 1h30m", .approve(2, for: .time(5400))), ("a 1h30m", .approve(nil, for: .time(5400))), ("a 2 30s", nil), ("a 2y", nil),
      ("a -1", nil), ("a ２", nil), ("aa", nil), ("q 1 a", nil), ("99999999999999999999", nil),
    ] as [(String, WatchedAnswer?)])
  func whatIsTypedIsUnderstood(typed: String, answer: WatchedAnswer?) {
    #expect(WatchedAnswer(typed: typed) == answer)
  }

  @Test("A number that is gone, or none, is answered by a sentence that goes on") func aWrongNumberHasAWayOn() {
    #expect(WatchText.missing(9, [1, 2]).hasPrefix("Request 9 does not wait"))
    #expect(WatchText.missing(nil, [1, 2]) == "2 requests wait. Add the number of the one that you mean.")
    #expect(WatchText.missing(nil, []).isEmpty, "the question below says that nothing waits")
    #expect(WatchText.question([2]).contains("? for more") && WatchText.question([2, 3]).contains("a 2 to approve"))
  }

  @Test("Once the answers were explained, a short question names what waits") func theQuestionGetsShort() {
    #expect(WatchText.shortQuestion([]) == "Nothing waits [?/q]: ")
    #expect(WatchText.shortQuestion([3]) == "Answer request 3 [a/d/?/q]: ")
    #expect(WatchText.shortQuestion([1, 3]) == "Answer requests 1, 3 [a 1/d 1/?/q]: ")
  }

  @Test("An answer never means a request that came later") func aNumberIsNeverGivenTwice() {
    var requests = WatchedRequests()
    #expect(requests.add("first") == 1 && requests.id(of: nil) == "first")
    #expect(requests.add("second") == 2 && requests.add("second") == 2)
    #expect(requests.id(of: nil) == nil, "two wait, and none was named")
    #expect(requests.remove("second") == 2 && requests.remove("second") == nil)
    #expect(requests.add("third") == 3 && requests.id(of: 2) == nil && requests.id(of: 3) == "third")
  }

  @Test("After other requests took the place of those that were shown, an answer without a number waits a moment")
  func whatWasMeantForAnotherOneCountsForNothing() {
    var requests = WatchedRequests()
    requests.noteChange(ofShown: false, at: 1_000)
    #expect(!requests.haveJustChanged(at: 1_000), "the first one stands where nothing was shown before")
    requests.noteChange(ofShown: true, at: 2_000)
    #expect(requests.haveJustChanged(at: 2_699) && !requests.haveJustChanged(at: 2_700))
    requests.noteChange(ofShown: false, at: 2_600)
    #expect(requests.haveJustChanged(at: 3_299), "one ended, and right after it another one came")
  }
}
