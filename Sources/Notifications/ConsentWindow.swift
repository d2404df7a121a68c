import Desktop
import Platform
package import RemoteSigning
package import Signer

/// Opens the approvals in a window when a program, site or link on this machine asks for something that the owner must decide: somebody
/// at this machine has just caused it. Requests that come over relays open nothing, because others decide when they come.
package final class ConsentWindow: Sendable {
  private let engine: SigningEngine
  private let hooks: Hooks
  private let windows = OnceInAWhile(milliseconds: 10_000)

  /// What the window needs of the console.
  package struct Hooks: Sendable {
    let isPageOpen: @Sendable () -> Bool
    let address: @Sendable () -> String?

    /// - Parameters:
    ///   - isPageOpen: whether a page of the console is open already. It shows the request.
    ///   - address: a link to the approvals, which signs in once.
    package init(isPageOpen: @escaping @Sendable () -> Bool, address: @escaping @Sendable () -> String?) {
      (self.isPageOpen, self.address) = (isPageOpen, address)
    }
  }

  package init(_ engine: SigningEngine, _ hooks: Hooks) { (self.engine, self.hooks) = (engine, hooks) }

  /// Begins to listen.
  package func begin(_ signerEvents: SignerEvents, _ workers: Workers) {
    signerEvents.subscribe { [self] signerEvent in
      guard case .requestWaits(let request) = signerEvent, isLocal(request), mayOpen(Clock.monotonicMilliseconds) else { return }
      workers.submit { [self] in hooks.address().map(Browser.openWindow) }
    }
  }

  /// Whether a window may open now. If so, it counts as opened.
  func mayOpen(_ now: Int64) -> Bool {
    !hooks.isPageOpen() && windows.begins(at: now)
  }

  private func isLocal(_ request: PendingRequest) -> Bool {
    engine.pairings.first { $0.remoteSigner == request.remoteSigner }?.caller != nil
  }
}
