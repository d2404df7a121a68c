package import Desktop
package import Identities
import Platform
package import RemoteSigning
package import Signer
import Vault

/// Shows waiting requests on the owner's desktop, and takes answers from there.
///
/// The desktop is the owner's session: whoever can press its buttons can also type in the owner's terminal. Requests that need a
/// closer look, such as money and events that replace what others rely on, cannot be answered there: their notice only opens the
/// console.
package final class DesktopService: Sendable {
  /// How the desktop is used.
  package enum Mode: String, Sendable, CaseIterable {
    /// Shows what waits and takes answers.
    case answer
    /// Shows it only.
    case show
    case off
  }

  private let engine: SigningEngine
  private let identities: Identities
  private let sessionLock: SessionLock
  private let signerEvents: SignerEvents
  private let latest: LatestEvent
  private let mode: Mode
  private let console: String
  private let incidents = Locked<[Incident]>([])
  private let shares = Locked<[ShareAsked]>([])
  /// What PAM asks the person now.
  private let question = Locked<String?>(nil)
  private let notifier: DesktopNotifier

  /// - Parameters:
  ///   - latest: finds what a request would replace.
  ///   - console: the address of the console.
  ///   - answer: takes the owner's answer to the request of that name; does not wait.
  package init(
    _ engine: SigningEngine, _ identities: Identities, _ sessionLock: SessionLock, _ signerEvents: SignerEvents,
    latest: @escaping LatestEvent, mode: Mode, console: String,
    answer: @escaping @Sendable (_ name: String, _ approve: Bool) -> Void
  ) {
    (self.engine, self.identities, self.sessionLock, self.signerEvents) = (engine, identities, sessionLock, signerEvents)
    (self.latest, self.mode, self.console) = (latest, mode, console)
    notifier = DesktopNotifier { notice, action in
      switch action {
      case DesktopText.approve: answer(notice, true)
      case DesktopText.deny: answer(notice, false)
      default: return .open(console + DesktopText.page(of: notice))
      }
      return .taken
    }
  }

  /// Begins to listen, and shows what waits since before.
  package func begin(_ workers: Workers) {
    guard mode != .off else { return }
    signerEvents.subscribe { [self] signerEvent in
      switch signerEvent {
      case .requestWaits, .requestEnded, .clientsChanged, .lockChanged: break
      case .incident(let incident) where incident.severity == .critical:
        incidents.withLock { $0 = Array(($0 + [incident]).suffix(DesktopText.mostIncidents)) }
      case .shareAsked(let asked):
        shares.withLock { $0 = DesktopText.newest($0, with: asked) }
      default: return
      }
      workers.submit { [self] in show() }
    }
    workers.submit { [self] in show() }
  }

  /// Shows what PAM asks the person before a slot is used. Nil removes it.
  package func show(question text: String?) {
    question.withLock { $0 = text }
    if mode != .off { show() }
  }

  private func show() {
    let text = DesktopText(
      engine: engine, identities: identities, sessionLock: sessionLock, takesAnswers: mode == .answer,
      latest: latest)
    let asked = question.withLock { $0 }.map { [text.question($0)] } ?? []
    notifier.show(asked + incidents.withLock { $0 }.map(text.notice) + shares.withLock { $0 }.map(text.notice) + text.notices)
  }

  package func stop() { notifier.stop() }

  /// For `status`; nil where nothing is shown.
  package var condition: DesktopNotifier.Condition? { mode == .off ? nil : notifier.condition }
}
