import DaemonSupport
import Desktop
import Testing

@testable import Notifications
@testable import Signer

/// What the desktop shows when somebody asks for a share of a recovery kit.
@Suite struct ShareNoticeTests {
  private func asked(_ number: Int, allowed isAllowed: Bool = false, kept isKeptHere: Bool = false) -> ShareAsked {
    ShareAsked(name: "\(number)", kit: "0d3f", isKeptHere: isKeptHere, isAllowed: isAllowed)
  }

  @Test("The desktop shows requests for the owner's share, approvals, and requests for shares kept here")
  func eachSortHasItsText() throws {
    let signer = try Signer()
    let text = DesktopText(
      engine: signer.core.engine, identities: signer.core.identities, sessionLock: signer.core.sessionLock, takesAnswers: true)
    let notices = [asked(1), asked(1, allowed: true), asked(1, kept: true)].map { text.notice($0) }
    #expect(
      notices.map(\.title) == [
        "Somebody asks a guardian for your share", "A guardian agreed to give somebody your share",
        "Somebody asks for a share that you keep",
      ])
    #expect(notices.allSatisfy { !$0.body.contains("0d3f") && $0.actions.count == 1 })
    #expect(notices[0].key != notices[1].key)
    #expect(notices.allSatisfy { DesktopText.page(of: $0.key) == "#/recovery" })
    #expect(DesktopText.page(of: "incident-1") == "#/security" && DesktopText.page(of: "186c5281") == "#/approvals")
    signer.close()
  }

  @Test("The desktop shows the newest requests for shares, and no flood of them hides an approval")
  func aFloodHidesNoApproval() {
    var shown = [asked(0, allowed: true)]
    for number in 1...20 { shown = DesktopText.newest(shown, with: asked(number)) }
    #expect(shown == [asked(0, allowed: true)] + (18...20).map { asked($0) })
    #expect(DesktopText.newest(shown, with: asked(18)).count == shown.count)
  }
}
