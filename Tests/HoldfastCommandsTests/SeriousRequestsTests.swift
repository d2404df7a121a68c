import OwnerAPI
import Testing

@testable import HoldfastCommands

@Suite struct SeriousRequestsTests {
  private static func deletion(_ id: String, _ presence: PresenceProof?) -> WaitingRequest {
    var request = WaitingRequest()
    (request.id, request.risk, request.presence) = (id, .grave, presence)
    (request.title, request.client.name) = ("Ask relays to delete", "Amethyst")
    return request
  }

  private static func question(_ requests: [WaitingRequest]) -> String? {
    SeriousRequests.question(RequestAnswer(ids: requests.map(\.id)), in: requests)
  }

  @Test("A serious request is asked about, unless a passphrase that is typed for it alone confirms it") func oneIsConfirmed() {
    let question = Self.question([Self.deletion("3f2a", nil)])
    #expect(question == "This is serious.\nAsk relays to delete, for Amethyst\nApprove it?")
    #expect(Self.question([Self.deletion("3f2a", .passcode)]) == nil)
  }

  @Test("The question shows what would be signed") func theContentIsShown() {
    var profile = Self.deletion("3f2a", nil)
    (profile.title, profile.summary) = ("Change your profile", "sign kind 0 (profile): “{\"name\":\"Ada\"}”")
    #expect(
      Self.question([profile])
        == "This is serious.\nChange your profile, for Amethyst\n  would sign kind 0 (profile): “{\"name\":\"Ada\"}”\nApprove it?"
    )
    profile.isHidden = true
    #expect(Self.question([profile])?.contains("Ada") == false)
  }

  @Test("What is allowed for good is asked about once, serious or not") func whatIsForGoodIsAskedAbout() {
    var note = Self.deletion("3f2a", nil)
    (note.title, note.risk) = ("Publish a note", .usual)
    let answer = RequestAnswer(ids: ["3f2a"])
    #expect(SeriousRequests.question(answer, in: [note], lasting: "For 1 hour …") == nil)
    let question = SeriousRequests.question(answer, in: [note], lasting: "From now on …", isForGood: true)
    #expect(question == "Publish a note, for Amethyst\nFrom now on …\nApprove that?")
  }

  @Test("One question about all requests of an app holds what is serious and the rule, a denial's too")
  func oneQuestionHoldsAll() {
    var note = Self.deletion("77aa", nil)
    (note.title, note.risk) = ("Publish a note", .usual)
    let both = [Self.deletion("3f2a", nil), note]
    #expect(
      AppsRequests.question("Approve", both, lasting: "From now on …") == """
        2 requests of “Amethyst” wait:
          3f2a  ! Ask relays to delete
          77aa  Publish a note
        This is serious.
        Ask relays to delete, for Amethyst
        From now on …
        Approve them?
        """)
    #expect(AppsRequests.question("Deny", [note], lasting: "For 1 hour …").hasSuffix("Publish a note\nFor 1 hour …\nDeny it?"))
  }

  @Test("An approval of a first request says that its program is let in") func aFirstApprovalSaysThatItLetsIn() {
    var first = Self.deletion("3f2a", nil)
    (first.rule, first.client.pubkey) = ("first-use", "ab")
    let answer = RequestAnswer(ids: ["3f2a", "77aa"])
    #expect(
      NewlyLetIn(answer, of: [first])?.text
        == "“Amethyst” is let in: from now on its trust and your rules decide what it asks. To see them: holdfast client show Amethyst"
    )
    first.rule = "low-trust"
    #expect(NewlyLetIn(answer, of: [first]) == nil)
  }

  @Test("One passphrase for several requests does not hide the serious ones") func severalAreNamed() {
    let question = Self.question([Self.deletion("3f2a", .passcode), Self.deletion("77aa", .passkeyOrPasscode)])
    #expect(question?.hasSuffix("Approve them?") == true)
  }
}
