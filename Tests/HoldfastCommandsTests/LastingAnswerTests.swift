import OwnerAPI
import Testing

@testable import HoldfastCommands

@Suite struct LastingAnswerTests {
  private static func waiting(_ name: String, key: String = "ab", permission: String = "sign_event:1") -> WaitingRequest {
    var request = WaitingRequest()
    request.id = "3f2a77aa"
    (request.client.name, request.client.pubkey) = (name, String(repeating: key, count: 32))
    request.remember.permission = permission
    return request
  }

  private static func answer(_ permission: String? = nil) -> RequestAnswer {
    var answer = RequestAnswer(id: "3f2a")
    answer.permission = permission
    return answer
  }

  @Test("A lasting answer says what it allows, and names the app in the command that ends it")
  func saysWhatItAllows() throws {
    let wide = try #require(LastingAnswer(Self.answer("sign_event"), .hour, of: [Self.waiting("amethyst")]))
    #expect(wide.approved.hasPrefix("For 1 hour “amethyst” may sign every kind of event without asking, except profiles (0)"))
    #expect(wide.approved.hasSuffix("holdfast client show amethyst"))
    let narrow = try #require(LastingAnswer(Self.answer(), .always, of: [Self.waiting("My app")]))
    #expect(
      narrow.denied
        == "From now on “My app” may not do sign_event:1. To see its rules or end one: holdfast client show abababababababab")
  }

  @Test(
    "The time of a lasting answer is said in full",
    arguments: [("90m", "For 90 minutes "), ("36h", "For 36 hours "), ("2w", "For 14 days ")])
  func saysTheWholeTime(time: String, words: String) throws {
    let duration = try #require(Duration(rawValue: time))
    let lasting = try #require(LastingAnswer(Self.answer(), duration, of: [Self.waiting("a")]))
    #expect(lasting.approved.hasPrefix(words), "\(lasting.approved)")
  }

  @Test("What is serious is said to be so, in words beside the permission") func aSeriousOneIsKnown() throws {
    var deletion = Self.waiting("Amethyst", permission: "sign_event:5")
    (deletion.remember.label, deletion.risk) = ("deletions", .grave)
    let lasting = try #require(LastingAnswer(Self.answer(), .always, of: [deletion]))
    #expect(
      lasting.isGrave && lasting.approved.hasPrefix("From now on “Amethyst” may do sign_event:5 (deletions) without asking."))
    deletion.risk = .usual
    #expect(LastingAnswer(Self.answer(), .always, of: [deletion])?.isGrave == false)
  }

  @Test("Nothing is said of a lasting answer if no request waits any more") func nothingWaits() {
    #expect(LastingAnswer(Self.answer(), .day, of: []) == nil)
  }

  @Test("Somebody who was just asked about the rule is not told it again") func isNotToldTwice() throws {
    let lasting = try #require(LastingAnswer(Self.answer(), .always, of: [Self.waiting("amethyst")]))
    #expect(lasting.isForGood && lasting.approves == "From now on “amethyst” may do sign_event:1 without asking.")
    #expect(
      lasting.told(lasting.approved, wasAsked: true) == "To see its rules or end one: holdfast client show amethyst"
        && lasting.told(lasting.approved, wasAsked: false) == lasting.approved)
  }
}
