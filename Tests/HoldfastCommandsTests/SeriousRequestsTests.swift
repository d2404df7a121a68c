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

  @Test("One passphrase for several requests does not hide the serious ones") func severalAreNamed() {
    let question = Self.question([Self.deletion("3f2a", .passcode), Self.deletion("77aa", .passkeyOrPasscode)])
    #expect(question?.hasSuffix("Approve them?") == true)
  }
}
