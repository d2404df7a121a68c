import Curve
import DaemonSupport
import Encodings
import Testing

@testable import EntrustedShares
@testable import Guardians
@testable import Signer

/// What owners, guardians and strangers write to each other.
@Suite struct GuardianMessageTests {
  private static let code = RequestCode("qpzr-y9x8-gf2t-vdw0")!  // a code as it is written: sixteen letters of the alphabet

  private static func notice(_ standing: ShareRequest.Standing, _ isAllowed: Bool) -> GuardianNotice {
    GuardianNotice(
      request: Bytes32(), kit: "0d3f", by: PublicKey(Bytes32()), until: 9, note: "", standing: standing, isAllowed: isAllowed)
  }

  static let messages: [GuardianMessage] = [
    .keep(share: "a b", delay: 5, code: nil), .keep(share: "a b", delay: 5, code: code),
    .kept(kit: "0d3f", group: 1, member: 15), .ask(kit: "0d3f", note: "hello", proof: nil),
    .ask(kit: "0d3f", note: "", proof: Bytes32()), .code(kit: "0d3f", code), .asked(notice(.unknown, false)),
    .asked(notice(.code, true)), .waiting(request: Bytes32(), until: 9), .cancel(request: Bytes32()),
    .give(request: Bytes32(), share: "a"), .no(request: Bytes32(), why: .cancelled), .no(request: Bytes32(), why: .refused),
    .no(request: Bytes32(), why: .displaced),
  ]

  @Test("Each guardian message reads back as it was written", arguments: messages)
  func aMessageIsReadAsItWasWritten(message: GuardianMessage) {
    #expect(GuardianMessage(message.content) == message)
  }

  @Test(
    "Text that is no valid guardian message is refused",
    arguments: [
      "", "x", "{}", #"{"v":2,"do":"ask","kit":"0d3f"}"#, #"{"v":1,"do":"ask","kit":"0d3"}"#, #"{"v":1,"do":"ask","kit":"zzzz"}"#,
      #"{"v":1,"do":"keep","share":"a","delay":0}"#, #"{"v":1,"do":"keep","share":"a","delay":9999999999}"#,
      #"{"v":1,"do":"kept","kit":"0d3f","group":16,"member":0}"#, #"{"v":1,"do":"cancel","request":"00"}"#,
      #"{"v":1,"do":"other"}"#, #"{"v":1,"do":"code","kit":"0d3f"}"#, #"{"v":1,"do":"code","kit":"0d3f","code":"short"}"#,
    ])
  func whatIsNoMessageIsRefused(text: String) { #expect(GuardianMessage(text) == nil) }

  @Test("A requester's note is cut to its longest length and cleaned of control characters") func aNoteIsCutAndCleaned() {
    let content = GuardianMessage.ask(kit: "0d3f", note: "a\u{1b}[2J" + String(repeating: "ü", count: 500), proof: nil).content
    guard case .ask(_, let note, _)? = GuardianMessage(content) else {
      Issue.record("not read")
      return
    }
    #expect(note.utf8.count <= GuardianMessage.longestNote && note.hasPrefix("a[2Jü"))
  }

  @Test("Guardian messages of earlier versions are read") func whatEarlierVersionsSayIsRead() {
    let notice = #"{"v":1,"do":"asked","request":"\#(Bytes32().hex)","kit":"0d3f","by":"\#(Bytes32().hex)","until":9,"note":""}"#
    #expect(GuardianMessage(notice) == .asked(Self.notice(.unknown, false)))
    #expect(GuardianMessage(#"{"v":1,"do":"keep","share":"a","delay":5}"#) == .keep(share: "a", delay: 5, code: nil))
    #expect(
      GuardianMessage(#"{"v":1,"do":"no","request":"\#(Bytes32().hex)","why":"?"}"#) == .no(request: Bytes32(), why: .refused))
  }
}
