import CommandLine
import OwnerAPI
import ResponseTexts
import Testing

@testable import HoldfastCommands

@Suite struct AnswerQuestionTests {
  private static func request(
    _ id: String, _ title: String = "Publish a note", app: String = "Amethyst", risk: Risk = .usual
  )
    -> WaitingRequest
  {
    var request = WaitingRequest()
    (request.id, request.title, request.risk, request.summary) = (id, title, risk, "sign kind 1")
    (request.client.name, request.client.pubkey, request.remember.permission) = (app, "key of \(app)", "sign_event:1")
    return request
  }

  private static func deletion(_ id: String, _ presence: PresenceProof? = nil) -> WaitingRequest {
    var request = request(id, "Ask relays to delete", risk: .grave)
    (request.presence, request.summary, request.remember.permission) = (presence, "sign kind 5 (deletion)", "sign_event:5")
    return request
  }

  private static func question(
    _ verb: AnswerVerb, _ requests: [WaitingRequest], for duration: Duration? = nil, isOfMany: Bool = false,
    at place: AnswerPlace = .command
  ) -> String? {
    var answer = RequestAnswer(ids: requests.map(\.id))
    answer.remember = duration
    return AnswerQuestion(verb, answer, of: requests, isOfMany: isOfMany, at: place).text
  }

  @Test("A serious request is asked about, unless a passphrase that is typed for it alone confirms it") func oneIsConfirmed() {
    #expect(
      Self.question(.approve, [Self.deletion("3f2a")]) == """
        This request is serious:
          3f2a  ! Amethyst: Ask relays to delete
            would sign kind 5 (deletion)
        Approve it?
        """)
    #expect(Self.question(.approve, [Self.deletion("3f2a", .passcode)]) == nil)
    #expect(Self.question(.approve, [Self.deletion("3f2a", .passcode)], for: .hour) != nil, "a rule is more than one approval")
    #expect(Self.question(.approve, [Self.deletion("3f2a", .passcode), Self.deletion("77aa", .passkeyOrPasscode)]) != nil)
    #expect(Self.question(.approve, [Self.request("3f2a")]) == nil && Self.question(.deny, [Self.deletion("3f2a")]) == nil)
  }

  @Test("What a serious request says is hidden in a question while the signer is locked") func theContentIsHidden() throws {
    var profile = Self.deletion("3f2a")
    (profile.summary, profile.isHidden) = ("sign kind 0 (profile): “Ada”", true)
    let question = try #require(Self.question(.approve, [profile]))
    #expect(!question.contains("Ada") && question.contains("hidden while the signer is locked"))
  }

  @Test("Every question about several requests has one list: a line for each, serious ones marked and explained if approved")
  func oneListForAll() {
    var login = Self.request("bbbb", "Log in", app: "Coracle")
    login.parts = [RequestPart(.text)]
    (login.parts[0].label, login.parts[0].text) = ("Text", "hello")
    let requests = [Self.deletion("3f2a"), login]
    let lines = "  bbbb  Coracle: Log in: “hello”"
    #expect(
      Self.question(.approve, requests) == """
        2 requests of 2 apps wait, 1 of them serious (!):
          3f2a  ! Amethyst: Ask relays to delete
            would sign kind 5 (deletion)
        \(lines)
        Approve all 2?
        """)
    #expect(
      Self.question(.deny, requests, isOfMany: true) == """
        2 requests of 2 apps wait, 1 of them serious (!):
          3f2a  ! Amethyst: Ask relays to delete
        \(lines)
        Deny all 2?
        """)
    #expect(
      Self.question(.deny, [Self.request("3f2a")], isOfMany: true)
        == "This request waits:\n  3f2a  Amethyst: Publish a note\nDeny it?")
  }

  /// What an app wants signed may be of any length, and may look like sentences of the signer.
  @Test("A long text of the app's is cut in a question, and what the signer warns of stands next to the answer")
  func whatIsLongHidesNoWarning() throws {
    var vanish = Self.deletion("3f2a")
    vanish.parts = [RequestPart(.warning), RequestPart(.text)]
    vanish.parts[0].text = "You cannot undo it."
    (vanish.parts[1].label, vanish.parts[1].text) = (
      "Its reason", Array(repeating: "It is safe. " + String(repeating: "x", count: 1900), count: 4).joined(separator: "\n")
    )
    let lines = try #require(Self.question(.approve, [vanish])).split(separator: "\n")
    #expect(lines.count <= 10 && lines.allSatisfy { $0.count < 220 })
    #expect(lines.suffix(3) == ["    … all of it: holdfast request show 3f2a", "    ! You cannot undo it.", "Approve it?"])
  }

  @Test("What the signer warns of is asked about, though it is not serious") func whatIsWarnedOfIsAskedAbout() throws {
    var login = Self.request("3f2a", "Log in to a website: example.com")
    #expect(Self.question(.approve, [login]) == nil)
    login.parts = [RequestPart(.warning)]
    login.parts[0].text = "The host's name has letters that look like others."
    let question = try #require(Self.question(.approve, [login]))
    #expect(question.hasPrefix("The signer warns of this request:\n") && question.contains("letters that look like others"))
  }

  @Test("A rule that approves other requests, too, shows them before the question") func whatARuleApprovesTooIsShown() throws {
    func note(_ id: String, _ text: String) -> WaitingRequest {
      var note = Self.request(id)
      (note.parts, note.remember.permission, note.offers) = ([RequestPart(.text)], "sign_event:1", [.once, .hour])
      (note.parts[0].label, note.parts[0].text) = ("Text", text)
      return note
    }
    let (first, second) = (note("3f2a", "hello"), note("77aa", "send me bitcoin"))
    var answer = RequestAnswer(ids: ["3f2a"])
    #expect(
      AnswerQuestion(.approve, answer, of: [first], among: [first, second], isOfMany: false).text == nil, "once is for one")
    answer.remember = .hour
    let question = try #require(AnswerQuestion(.approve, answer, of: [first], among: [first, second], isOfMany: false).text)
    #expect(question.contains("The rule also approves:\n  77aa  Amethyst: Publish a note: “send me bitcoin”"))
    #expect(question.hasSuffix("Approve all 2?"))
  }

  @Test("What is asked about whatever a rule allows is not said to be approved by it") func whatIsAskedAnyway() throws {
    func profile(_ id: String, _ rule: String) -> WaitingRequest {
      var profile = Self.request(id)
      (profile.rule, profile.remember.permission, profile.offers) = (rule, "sign_event:0", [.once, .hour])
      return profile
    }
    var answer = RequestAnswer(ids: ["3f2a"])
    answer.remember = .hour
    let waiting = ["payment-address", "low-trust", "deletes-list", "budget"].enumerated().map { profile("77a\($0)", $1) }
    let also = answer.alsoApproved(by: [profile("3f2a", "low-trust")], among: waiting)
    #expect(also.map(\.id) == ["77a1"])
  }

  @Test("Of many serious requests each keeps what the signer warns of") func manyWarnings() throws {
    let many = (0..<12).map { number in
      var request = Self.deletion("d\(number)")
      request.parts.append(RequestPart(.warning))
      request.parts[request.parts.count - 1].text = "Warning number \(number)."
      return request
    }
    let question = try #require(Self.question(.approve, many))
    for number in 0..<12 { #expect(question.contains("! Warning number \(number).")) }
  }

  @Test("A long list ends in the number of the others, and shows what is serious first") func aLongListIsCut() throws {
    let many = (0..<30).map { Self.request("a\($0)") } + [Self.deletion("dddd")]
    let question = try #require(Self.question(.deny, many, isOfMany: true))
    #expect(question.hasPrefix("31 requests of “Amethyst” wait, 1 of them serious (!):\n  dddd  ! "))
    #expect(question.hasSuffix("\n  and 11 more: holdfast request list --full\nDeny all 31?"))
    #expect(question.split(separator: "\n").count == 1 + 20 + 2)
    let grave = (0..<25).map { Self.deletion("d\($0)") }
    let all = try #require(Self.question(.approve, grave))
    #expect(all.contains("  and 5 more, 5 of them serious: ") && all.contains("To read one in full: holdfast request show ID"))
    #expect(all.split(separator: "\n").count { $0.contains("would sign") } == 5)
  }

  @Test("A question names each rule that the answer makes, the serious ones marked") func everyRuleIsNamed() throws {
    let requests = [Self.request("3f2a"), Self.deletion("77aa"), Self.request("88bb")]
    let asked = try #require(Self.question(.approve, requests, for: .hour))
    #expect(
      asked.hasSuffix(
        "\nFor 1 hour “Amethyst” may do this without asking (! is serious):\n  sign_event:1\n  ! sign_event:5\nApprove all 3?"))
    let two = [Self.request("3f2a"), Self.request("77aa", app: "Coracle")]
    let denied = try #require(Self.question(.deny, two, for: .always, isOfMany: true))
    #expect(
      denied.hasSuffix(
        "\nFrom now on these apps may not do this:\n  Amethyst: sign_event:1\n  Coracle: sign_event:1\nDeny all 2?"))
  }

  @Test("What is allowed for good is asked about, serious or not") func whatIsForGoodIsAskedAbout() throws {
    #expect(Self.question(.approve, [Self.request("3f2a")], for: .hour) == nil)
    let question = try #require(Self.question(.approve, [Self.request("3f2a")], for: .always))
    #expect(question.hasSuffix("\nFrom now on “Amethyst” may do sign_event:1 without asking.\nApprove it?"))
    #expect(Self.question(.deny, [Self.request("3f2a")], for: .always) == nil, "a denial by its id is no question")
  }

  @Test("Below a request that was read, the question does not say again what it says") func nothingIsSaidTwice() {
    var request = Self.deletion("3f2a")
    let read = RequestText.explanation(request)
    #expect(
      Self.question(.approve, [request], at: .watched(number: 2, read: read))
        == "Request 2 (Amethyst: Ask relays to delete) is serious.\nApprove it?")
    func saysAll(_ read: [String]?) -> Bool {
      Self.question(.approve, [request], at: .watched(number: 2, read: read))?.contains("This request is serious:\n") == true
    }
    #expect(saysAll(nil), "it was hidden")
    request.parts = [RequestPart(.warning)]
    request.parts[0].text = "This changes where payments to you go."
    #expect(saysAll(read), "the signer learned more of it since")
  }

  @Test("An approval of a first request says that its program is let in") func aFirstApprovalSaysThatItLetsIn() {
    var first = Self.deletion("3f2a")
    first.rule = "first-use"
    #expect(
      NewlyLetIn([first])?.text
        == "“Amethyst” is let in: from now on its trust and your rules decide what it asks. To see them: holdfast client show Amethyst"
    )
    first.rule = "low-trust"
    #expect(NewlyLetIn([first]) == nil)
  }

  @Test("The requests that are asked about are those that the signer takes the ids for") func anIdIsReadAsTheSignerReadsIt() {
    let waiting = ["3f2a77aa", "3f2a88bb", "77aa0000"].map { Self.request($0) }
    func meant(_ ids: String...) -> [String] { RequestAnswer(ids: ids).meant(among: waiting).map(\.id) }
    #expect(meant("77aa", "3f2a7", "77aa0000") == ["3f2a77aa", "77aa0000"])
    #expect(meant("3f2a", "77a", "", "ffff").isEmpty)
  }
}

/// Approvals that the signer would refuse.
@Suite struct AnswerCheckTests {
  private static func request(_ id: String, offers: [Duration]) -> WaitingRequest {
    var request = WaitingRequest()
    (request.id, request.title, request.offers) = (id, "Title of \(id)", offers)
    return request
  }

  private static func refusal(_ duration: Duration?, _ requests: [WaitingRequest], permission: String? = nil) -> String? {
    var answer = RequestAnswer(ids: requests.map(\.id))
    (answer.remember, answer.permission) = (duration, permission)
    do {
      try AnswerCheck(answer, of: requests).checkLasts {
        "holdfast request approve X" + ($0.map { " --for \($0.rawValue)" } ?? "")
      }
      return nil
    } catch { return error.text }
  }

  private static let once = request("3f2a", offers: [.once])
  private static let daily = request("77aa", offers: [.once, .hour, .day])
  private static let any = request("88bb", offers: [.once, .hour, .day, .week, .always])

  @Test("A time that is not offered is refused with the command that works") func aLongerTimeIsRefused() {
    #expect(
      Self.refusal(.hour, [Self.once]) == """
        holdfast: An approval of 3f2a (Title of 3f2a) counts once and cannot last 1 hour. Nothing was approved.
        To approve it once: holdfast request approve X
        """)
    #expect(
      Self.refusal(.week, [Self.daily, Self.any]) == """
        holdfast: An approval of 77aa (Title of 77aa) lasts 1 day at most, not 1 week. Nothing was approved.
        To approve all 2 for 1 day: holdfast request approve X --for 1d
        """)
    #expect(
      Self.refusal(.always, [Self.daily, Self.once])?.hasPrefix(
        "holdfast: An approval of 3f2a (Title of 3f2a) counts once and cannot last for good.") == true)
  }

  @Test("A time that is offered, or up to the longest one, is not refused") func whatIsOfferedIsNot() {
    for duration in [nil, .once, .hour, .day] as [Duration?] { #expect(Self.refusal(duration, [Self.daily, Self.any]) == nil) }
    #expect(Self.refusal(.time(5400), [Self.daily]) == nil && Self.refusal(.always, [Self.any]) == nil)
    #expect(Self.refusal(.once, [Self.once]) == nil && Self.refusal(.hour, []) == nil)
  }

  @Test("A wider permission has limits of its own") func aWiderPermissionIsChecked() {
    #expect(Self.refusal(.week, [Self.daily], permission: "sign_event:1") == nil)
    #expect(Self.refusal(.week, [Self.any], permission: "sign_event:7375")?.contains("lasts 1 day at most") == true)
  }

  @Test(
    "The command that works is the one that was typed, for another time",
    arguments: [
      ("request approve 3f2a 77aa --for 1w -y --home /tmp/x", nil, "3f2a 77aa --yes"),
      (
        "request approve --app amethyst --for always --permission sign_event:7375", .day,
        "--for 1d --permission sign_event:7375 --app amethyst"
      ),
      (
        "request approve --all-like 3f2a --for 1w --permission sign_event:1 --passphrase-file p", nil,
        "--all-like 3f2a --passphrase-file p"
      ),
    ] as [(String, Duration?, String)])
  func theSameIsTypedAgain(line: String, duration: Duration?, again: String) throws {
    let line = try ArgumentParser.holdfast.parse(line.split(separator: " ").map(String.init))
    #expect(RequestApproveCommand.again(line, for: duration) == "holdfast request approve " + again)
  }

  @Test("Of many requests, an error names a few") func manyAreNotAllNamed() {
    let many = (0..<8).map { Self.request("a\($0)", offers: [.once]) }
    #expect(Self.refusal(.hour, many)?.contains("a4 (Title of a4) and 3 more counts once") == true)
  }
}
