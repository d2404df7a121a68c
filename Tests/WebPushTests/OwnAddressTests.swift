import HTTPClient
import Platform
import Testing

@testable import WebPush

@Suite("Push services on the owner's own networks") struct OwnAddressTests {
  @Test("The machine's own public addresses are never connected to") func ownAddressesAreNotConnectedTo() throws {
    var options = PushSender.Options()
    options.isOwn = { $0.suffix(4) == [93, 184, 216, 34] }
    let outcome = Locked<PushOutcome?>(nil)
    let endpoint = try PushEndpoint(parsing: "https://93.184.216.34/")
    let hooks = PushSender.Hooks(
      message: { _, _ in PushMessage(endpoint: endpoint, body: [0], authorization: "", topic: nil, lifetime: 1) },
      settled: { _, _, result, _ in outcome.change { $0 = result } })
    let sender = PushSender(options, hooks: hooks)
    defer { sender.stop() }
    sender.want(.waiting, for: ["a"])
    #expect(outcome.wait(milliseconds: 20_000) { $0 } == .failed(.addressRefused))
  }
}
