import Curve
import Platform
package import RemoteSigning
package import Signer

/// Keeps the push proxy at what the vault says: registers the keys of new apps, unregisters those of ended ones, and tries again.
///
/// One request after the other, each over a connection of its own. The thread exists only while there is a proxy.
package final class PushRegistrar: Sendable {
  private struct State {
    var thread: SystemThread?
    var isRunning = false
    var isWanted = false
    var isStopping = false
  }

  private let registrations: PushRegistrations
  private let engine: SigningEngine
  private let state = Locked(State())

  /// - Parameter certificates: a PEM file of certificates to trust instead of the system's.
  package init(_ registrations: PushRegistrations, _ engine: SigningEngine, certificates: String?) {
    (self.registrations, self.engine) = (registrations, engine)
    registrations.trust(certificates)
  }

  /// Begins, and goes on where the last signer ended.
  package func begin(_ signerEvents: SignerEvents, _ workers: Workers) {
    registrations.whenChanged { [weak self] in self?.wake() }
    signerEvents.subscribe { [weak self] event in  // holds neither the home nor its keys
      guard case .clientsChanged = event else { return }
      workers.submitAlways { [weak self] in self?.wake() }
    }
    workers.submitAlways { [weak self] in self?.wake() }
  }

  /// Ends the thread, and the request that it waits for.
  package func stop() {
    let thread = state.change { state in
      state.isStopping = true
      defer { state.thread = nil }
      return state.thread
    }
    if let thread { thread.join() }
  }

  /// Has the thread look what is to be done.
  private func wake() {
    guard !registrations.isEmpty else { return }
    state.change { state in
      state.isWanted = true
      guard !state.isRunning, !state.isStopping else { return }
      // The thread has marked itself as finished and no longer uses our state.
      if let last = state.thread { last.join() }
      state.isRunning = true
      state.thread = SystemThread.start(stackBytes: SystemThread.largeStack) { [self] in run() }
      if state.thread == nil { state.isRunning = false }
    }
  }

  // MARK: the thread

  private func run() {
    let isStopping: @Sendable () -> Bool = { [weak self] in self?.state.withLock { $0.isStopping } ?? true }
    let call = ProxyCall(certificates: registrations.certificates, isCancelled: isStopping)
    registrations.askAgain(now: Clock.seconds)  // the pauses of another start say little of now
    while goesOn() {
      while !isStopping(), let (entry, step) = registrations.begin(now: Clock.seconds) { ask(entry, step, call, isStopping) }
      wait()
    }
  }

  private func ask(_ entry: Registration, _ step: Registration.Step, _ call: ProxyCall, _ isStopping: () -> Bool) {
    var failure: ProxyFailure?
    if let key = engine.transportKeys.first(where: { $0.publicKey == entry.signer }) {
      do throws(ProxyFailure) { try call.perform(step, of: entry, key: key, now: Clock.seconds) } catch { failure = error }
    } else {
      failure = ProxyFailure(text: "its key is gone")
    }
    // A request that the end of the signer cut off says nothing of the proxy.
    if failure == nil || !isStopping() { registrations.settle(entry, step, failure, now: Clock.seconds) }
  }

  /// False at the end, and when there is nothing left to do.
  private func goesOn() -> Bool {
    let isEmpty = registrations.isEmpty
    return state.withLock { state in
      if !state.isStopping, !isEmpty || state.isWanted {
        state.isWanted = false
        return true
      }
      state.isRunning = false
      return false
    }
  }

  private func wait() {
    let left = registrations.nextDue.map { ($0 - Clock.seconds) * 1_000 } ?? Self.longestPause
    // What is due and was not begun could not be noted: the vault cannot be written.
    let pause = Int(left <= 0 ? Self.pauseWithoutVault : min(left, Self.longestPause))
    _ = state.wait(milliseconds: pause) { $0.isStopping || $0.isWanted ? true : nil }
  }

  /// In milliseconds. A clock that is set is noticed within the longest.
  private static let pauseWithoutVault: Int64 = 10_000
  private static let longestPause: Int64 = 60_000
}
