import Desktop
import Platform
package import RemoteSigning
package import Signer

/// The signer's icon in the desktop's panel: whether it is locked, how many requests wait, and what can be done at once.
///
/// Every program on the owner's session bus can press it. So it only locks, pauses, and opens the console: nothing in it loosens.
package final class TrayService: Sendable {
  /// What the menu does.
  package enum Action: Int32, Sendable, CaseIterable {
    case approvals = 1
    case console
    case line
    case lock
    case pause
  }

  private struct Hooks: Sendable { let perform: @Sendable (Action) -> Void }

  private let engine: SigningEngine
  private let hooks: Hooks
  /// Further presses open nothing for a moment.
  private let pages = OnceInAWhile(milliseconds: 3_000)
  private let tray = Locked<Tray?>(nil)

  /// - Parameter perform: does what was chosen; does not wait.
  package init(_ engine: SigningEngine, perform: @escaping @Sendable (Action) -> Void) {
    (self.engine, hooks) = (engine, Hooks(perform: perform))
    tray.withLock { [engine] in $0 = Tray(Self.contents(engine)) { [weak self] id in self?.chosen(Action(rawValue: id)) } }
  }

  /// Shows the icon, and what changes.
  package func begin(_ signerEvents: SignerEvents, _ workers: Workers) {
    signerEvents.subscribe { [self] signerEvent in
      switch signerEvent {
      case .requestWaits, .requestEnded, .clientsChanged, .lockChanged: workers.submit { [self] in show() }
      default: break
      }
    }
    tray.withLock { $0 }?.start()
  }

  /// Removes the icon.
  package func stop() { tray.withLock { $0 }?.stop() }

  private func show() { tray.withLock { $0 }?.show(Self.contents(engine)) }

  private func chosen(_ action: Action?) {
    guard let action, action != .line else { return }
    if action == .approvals || action == .console, !pages.begins(at: Clock.monotonicMilliseconds) { return }
    hooks.perform(action)
  }

  static func contents(_ engine: SigningEngine) -> TrayContents {
    let (waiting, isLocked) = (engine.notifiedRequests.count, engine.isLocked)
    let apps = engine.pairings.filter { !$0.grant.isSuspended }.count
    let sentence = waiting == 0 ? "No request waits" : waiting == 1 ? "1 request waits" : "\(waiting) requests wait"
    return TrayContents(
      waiting > 0 ? .waiting : isLocked ? .locked : .open, tip: sentence + (isLocked ? ". The keys are locked." : "."),
      entries: [
        entry(.approvals, sentence, isEnabled: waiting > 0), entry(.console, "Open the console"), entry(.line, ""),
        entry(.lock, isLocked ? "Locked" : "Lock", isEnabled: !isLocked),
        entry(.pause, apps == 0 ? "No app to pause" : "Pause all apps", isEnabled: apps > 0),
      ])
  }

  private static func entry(_ action: Action, _ label: String, isEnabled: Bool = true) -> TrayContents.Entry {
    .init(action.rawValue, label, isEnabled: isEnabled)
  }
}
