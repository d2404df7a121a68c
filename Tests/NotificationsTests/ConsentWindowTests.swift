import DaemonSupport
import Platform
import Testing

@testable import Notifications
@testable import Signer

@Suite struct ConsentWindowTests {
  private func window(_ signer: Signer, isPageOpen: @escaping @Sendable () -> Bool = { false }) -> ConsentWindow {
    ConsentWindow(signer.core.engine, .init(isPageOpen: isPageOpen, address: { nil }))
  }

  @Test("At most one window opens in ten seconds, however many programs ask") func onePause() throws {
    let window = window(try Signer())
    #expect(window.mayOpen(1_000))
    #expect(!window.mayOpen(1_001) && !window.mayOpen(10_999))
    #expect(window.mayOpen(11_000) && !window.mayOpen(11_001))
  }

  @Test("No window opens while a page of the console is open, and a later one may")
  func openPages() throws {
    let isOpen = Locked(true)
    let window = window(try Signer(), isPageOpen: { isOpen.withLock { $0 } })
    #expect(!window.mayOpen(1_000))
    isOpen.withLock { $0 = false }
    #expect(window.mayOpen(1_001))
  }
}
