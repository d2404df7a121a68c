package import Curve
import Platform
package import RemoteSigning

/// Has the members of a group do their part of a request.
package protocol GroupWork: Sendable {
  /// Begins a task. Called on a worker; must not wait.
  /// - Parameters:
  ///   - identity: the group's.
  ///   - then: gets the result, once, on any thread, and at the latest when the app waits no longer.
  func begin(_ task: JointTask, of identity: PublicKey, then: @escaping @Sendable (JointResult) -> Void)
}

extension SigningService {
  /// Has a group carry out an exchange that was recorded. The worker goes on with other requests meanwhile.
  func carryOutTogether(_ task: JointTask, _ answering: Answering) {
    let exchange = answering.exchange
    guard let identity = exchange.identity, let group = group.withLock({ $0 }) else {
      return conclude(home.engine.perform(exchange, now: seconds), answering)
    }
    let isOver = Locked(false)
    group.begin(task, of: identity) { [weak self] result in
      // A second result of one task would be a second answer.
      guard let self,
        isOver.withLock({ over in
          defer { over = true }; return !over
        })
      else { return }
      workers.submitAlways { [self] in
        conclude(home.engine.finish(exchange, task, with: result, now: seconds), answering)
      }
    }
  }
}
