import OwnerAPI
import TerminalUI
import Testing

@testable import HoldfastCommands

@Suite struct LastingAnswerTests {
  private static func waiting(_ name: String, permission: String = "sign_event:1") -> WaitingRequest {
    var request = WaitingRequest()
    (request.id, request.risk) = ("3f2a77aa", .usual)
    (request.client.name, request.client.pubkey) = (name, String(repeating: "ab", count: 32))
    request.remember.permission = permission
    return request
  }

  /// 2026-11-29 12:00 UTC.
  private static let now: Int64 = 1_795_953_600

  private static func answer(_ duration: Duration, _ permission: String? = nil) -> RequestAnswer {
    var answer = RequestAnswer(id: "3f2a")
    (answer.remember, answer.permission) = (duration, permission)
    return answer
  }

  @Test("A lasting answer says what it allows, and names the app in the command that ends it")
  func saysWhatItAllows() throws {
    let wide = try #require(LastingAnswer(Self.answer(.hour, "sign_event"), of: [Self.waiting("amethyst")]))
    let told = wide.told(.approve, wasAsked: false, now: Self.now)
    #expect(told.hasPrefix("For 1 hour “amethyst” may sign every kind of event without asking, except profiles (0)"))
    #expect(told.hasSuffix("holdfast client show amethyst"))
    let narrow = try #require(LastingAnswer(Self.answer(.always), of: [Self.waiting("My app")]))
    #expect(
      narrow.told(.deny, wasAsked: false, now: Self.now)
        == "From now on “My app” may not do sign_event:1. To see its rules or end one: holdfast client show abababababababab")
  }

  @Test(
    "The time of a lasting answer is said in full",
    arguments: [("90m", "For 90 minutes "), ("1h30m", "For 90 minutes "), ("36h", "For 36 hours "), ("2w", "For 14 days ")])
  func saysTheWholeTime(time: String, words: String) throws {
    let duration = try #require(Duration(rawValue: time))
    let lasting = try #require(LastingAnswer(Self.answer(duration), of: [Self.waiting("a")]))
    #expect(lasting.approves.hasPrefix(words), "\(lasting.approves)")
  }

  @Test("What an answer allows is said in words beside the permission") func aPermissionHasWords() throws {
    var deletion = Self.waiting("Amethyst", permission: "sign_event:5")
    deletion.remember.label = "deletions"
    let lasting = try #require(LastingAnswer(Self.answer(.always), of: [deletion]))
    #expect(lasting.approves == "From now on “Amethyst” may do sign_event:5 (deletions) without asking.")
  }

  @Test(
    "What is asked about all the same is said, once for several rules",
    arguments: [
      ("sign_event:0", "A new payment address is asked about each time."),
      ("sign_event:3", "Dropping many of the people you follow is asked about each time."), ("sign_event:1", nil),
    ])
  func saysWhatIsStillAsked(permission: String, sentence: String?) throws {
    let one = try #require(LastingAnswer(Self.answer(.always), of: [Self.waiting("Amethyst", permission: permission)]))
    #expect(one.approves.hasSuffix("without asking." + (sentence.map { " \($0)" } ?? "")), "\(one.approves)")
    #expect(!one.denies.contains("each time"))
    let apps = ["Amethyst", "Damus"].map { name in
      var request = Self.waiting(name, permission: permission)
      request.client.pubkey = name
      return request
    }
    let both = try #require(LastingAnswer(Self.answer(.always), of: apps))
    #expect(both.approves.ranges(of: "each time").count == (sentence == nil ? 0 : 1), "\(both.approves)")
  }

  @Test("Nothing is said of a lasting answer if nothing is answered, nor of one that counts once") func nothingLasts() {
    #expect(LastingAnswer(Self.answer(.day), of: []) == nil)
    #expect(LastingAnswer(Self.answer(.once), of: [Self.waiting("a")]) == nil)
  }

  @Test("Somebody who was just asked about the rule is not told it again") func isNotToldTwice() throws {
    let lasting = try #require(LastingAnswer(Self.answer(.always), of: [Self.waiting("amethyst")]))
    #expect(lasting.isForGood && lasting.approves == "From now on “amethyst” may do sign_event:1 without asking.")
    #expect(lasting.told(.approve, wasAsked: true, now: Self.now) == "To see its rules or end one: holdfast client show amethyst")
  }

  @Test(
    "What is remembered for a time says until when, also to somebody who was asked; a denial of one request says that it is one")
  func saysUntilWhen() throws {
    let lasting = try #require(LastingAnswer(Self.answer(.day), of: [Self.waiting("amethyst")]))
    let told = lasting.told(.deny, wasAsked: true, now: Self.now)
    #expect(told == "That holds until \(moment(Self.now + 86_400)). To see its rules or end one: holdfast client show amethyst")
    #expect(HoldingText.once(1).hasPrefix("That holds for this request only. To deny similar ones as well, add --for 1h"))
    #expect(HoldingText.once(2).hasPrefix("That holds for these requests only."))
  }

  @Test("Without a question, several rules are named below the result") func severalRulesAreTold() throws {
    let lasting = try #require(
      LastingAnswer(Self.answer(.hour), of: [Self.waiting("amethyst"), Self.waiting("amethyst", permission: "sign_event:7")]))
    #expect(
      lasting.told(.approve, wasAsked: false, now: Self.now) == """
        For 1 hour “amethyst” may do this without asking:
          sign_event:1
          sign_event:7
        That holds until \(moment(Self.now + 3600)). To see its rules or end one: holdfast client show amethyst
        """)
  }
}
