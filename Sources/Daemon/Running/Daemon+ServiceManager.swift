import Platform
import RemoteSigning
import Signer
import Sockets

/// What a service manager hears of the running signer.
extension Daemon {
  /// How long changes of the state are gathered before they are told, in milliseconds.
  private static let statusMilliseconds = 1_000

  /// Says that the signer serves, and keeps saying what it does and that it answers.
  func report(to manager: ServiceManager) {
    manager.tell("READY=1", "STATUS=" + state)
    let isGathering = Locked(false)
    home.signerEvents.subscribe { [weak self] event in
      guard let self, Self.changesState(event) else { return }
      let isFirst = isGathering.withLock { gathers in
        defer { gathers = true }
        return !gathers
      }
      guard isFirst else { return }
      _ = loop.after(milliseconds: Self.statusMilliseconds) { [weak self] in
        isGathering.change { $0 = false }
        self.map { manager.tell("STATUS=" + $0.state) }
      }
    }
    if let patience = manager.patience { keepAnswering(manager, every: patience / 2) }
  }

  /// A worker says it, when the loop says so: if either hangs, the manager hears nothing and starts the signer again.
  private func keepAnswering(_ manager: ServiceManager, every milliseconds: Int) {
    manager.tell("WATCHDOG=1")
    _ = loop.after(milliseconds: milliseconds) { [weak self] in
      self?.workers.submitAlways { [weak self] in self?.keepAnswering(manager, every: milliseconds) }
    }
  }

  private static func changesState(_ event: SignerEvent) -> Bool {
    switch event {
    case .requestWaits, .requestEnded, .clientsChanged, .lockChanged, .statusChanged: true
    default: false
    }
  }

  /// In a few words. It names no app and no identity, because others may read it.
  private var state: String {
    if home.sessionLock.isSuspended {
      let served = home.sessionLock.isLocked ? "no app is served" : "every use of a key asks the owner"
      return "Locked down: \(served). To see why: holdfast status"
    }
    let waiting = home.engine.pendingRequests.count
    let waits = waiting == 1 ? "1 request waits" : "\(waiting) requests wait"
    if home.sessionLock.isLocked { return "Locked: requests that need a key wait (\(waiting)). To unlock: holdfast unlock" }
    return "Serving; \(waits) for the owner"
  }
}
