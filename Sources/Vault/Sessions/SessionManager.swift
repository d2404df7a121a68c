import CLinux  // whichever of the two is loaded first is said to define timespec
import Platform
public import SecretMemory

/// One user's session in a program: opened by the user, locked by inactivity, by the machine's sleep and with the desktop.
///
/// Inactivity is counted on CLOCK_BOOTTIME, which continues while the machine sleeps and which nobody can set. It is checked
/// whenever the session is asked or used, so that it has ended in time even if no timer ran. Everything that was registered is
/// wiped before a call that locks returns. All calls may come from any thread.
public final class SessionManager: Sendable {
  /// A clock that counts sleep, in a struct for what holds it.
  public struct Clock: Sendable {
    let milliseconds: @Sendable () -> Int64
    let hasTimer: Bool

    /// A clock of the caller's, in milliseconds, for tests. With it no timer runs: the session is looked at when it is used.
    public init(_ milliseconds: @escaping @Sendable () -> Int64) { self.init(hasTimer: false, milliseconds) }

    private init(hasTimer: Bool, _ milliseconds: @escaping @Sendable () -> Int64) {
      (self.hasTimer, self.milliseconds) = (hasTimer, milliseconds)
    }

    /// Milliseconds since boot, sleep included.
    public static let boot = Clock(hasTimer: true) { Platform.Clock.bootMilliseconds }
  }

  private struct Inner {
    var state: SessionState
    var observers: [(id: Int, told: Observer)] = []
    var nextObserver = 0
    var untold: [SessionChange] = []
    var teller: SystemThread?
    var isClosed = false
  }

  private struct Observer: Sendable { let tell: @Sendable (SessionChange) -> Void }

  private let inner: Locked<Inner>
  private let clock: Clock
  private let signals: [any LockSignals]
  private let timer: SessionTimer

  /// - Parameter signals: listened to until `close`.
  public init(_ policy: SessionPolicy = SessionPolicy(), clock: Clock = .boot, signals: [any LockSignals] = []) {
    inner = Locked(Inner(state: SessionState(policy: policy)))
    (self.clock, self.signals, timer) = (clock, signals, SessionTimer())
    for source in signals { source.listen { [weak self] signal in self?.hear(signal) } }
  }

  deinit { timer.stop() }

  /// Ends the session, and listens to nothing any more.
  public func close() {
    for source in signals { source.stop() }
    end()
    timer.stop()
  }

  // MARK: the user

  /// Opens the session, also one that was locked: call it when the user has proved who he is.
  public func start() {
    change { $0.start(at: clock.milliseconds()) }
    if clock.hasTimer { timer.start { [weak self] in self?.untilOver } }
  }

  /// The user did something.
  /// - Returns: whether the session is open; one whose time is over is locked by this and not prolonged.
  @discardableResult
  public func touch() -> Bool {
    let now = clock.milliseconds()
    change { $0.isOver(at: now) ? $0.lock(.inactivity) : nil }
    return inner.withLock { inner in
      guard inner.state.phase == .open else { return false }
      inner.state.touch(at: now)
      return true
    }
  }

  /// Locks the session.
  public func lock() { change { $0.lock(.asked) } }

  /// Ends the session.
  public func end() { change { $0.end() } }

  /// Whether the session is open now. One whose time is over is locked by asking.
  public var isOpen: Bool {
    let now = clock.milliseconds()
    if inner.withLock({ $0.state.isOver(at: now) }) { change { $0.isOver(at: now) ? $0.lock(.inactivity) : nil } }
    return inner.withLock { $0.state.phase == .open }
  }

  /// Milliseconds until the session locks automatically. Nil if it does not, or is not open.
  public var remaining: Int64? {
    let now = clock.milliseconds()
    return inner.withLock { $0.state.deadline.map { max(0, $0 - now) } }
  }

  /// When it locks automatically. A change takes effect at once.
  public var policy: SessionPolicy {
    get { inner.withLock { $0.state.policy } }
    set {
      inner.withLock { $0.state.policy = newValue }
      timer.wake()
      _ = isOpen
    }
  }

  // MARK: what it holds

  /// Takes a secret over for as long as the session is open.
  /// - Throws: `.interactionNotAllowed` when it is not.
  public func hold(_ secret: consuming SecretBytes) throws(KeyStoreError) -> HeldSecret {
    let held = HeldSecret(SecretBox(secret), of: self)
    try register(held)
    return held
  }

  /// Has something wiped when the session locks or ends. It is kept weakly.
  /// - Throws: `.interactionNotAllowed` when the session is not open; then it was wiped at once.
  public func register(_ holder: some SensitiveHolder) throws(KeyStoreError) {
    let isTaken =
      isOpen
      && inner.withLock { inner in
        guard inner.state.phase == .open else { return false }
        inner.state.holders = inner.state.holders.filter { $0.value.holder != nil }
        inner.state.holders[ObjectIdentifier(holder)] = SessionState.WeakHolder(holder: holder)
        return true
      }
    guard isTaken else {
      holder.wipe()
      throw .interactionNotAllowed
    }
  }

  // MARK: observers

  /// Reports every change from now on, each once and in order, on the thread that caused it, after everything was wiped.
  /// - Returns: the value for `stopObserving`.
  @discardableResult
  public func observe(_ tell: @escaping @Sendable (SessionChange) -> Void) -> Int {
    inner.withLock { inner in
      inner.nextObserver += 1
      inner.observers.append((inner.nextObserver, Observer(tell: tell)))
      return inner.nextObserver
    }
  }

  /// Ends what `observe` began.
  public func stopObserving(_ number: Int) { inner.withLock { $0.observers.removeAll { $0.id == number } } }

  // MARK: changes

  /// The machine said something: locks the session, unless its policy says otherwise. Returns when everybody was told.
  public func hear(_ signal: LockSignal) {
    change { $0.policy.locks(on: signal) ? $0.lock(.signal(signal)) : nil }
  }

  /// For the timer: milliseconds until it is to ask again; nil when there is nothing to wait for.
  private var untilOver: Int64? { isOpen ? remaining : nil }

  // Wiped within the same step: nobody sees a session that is locked and still holds something.
  private func change(_ body: (inout SessionState) -> SessionChange?) {
    let isChanged = inner.withLock { inner in
      guard let change = body(&inner.state) else { return false }
      if change != .started {
        for holder in inner.state.holders.values { holder.holder?.wipe() }
        inner.state.holders = [:]
      }
      inner.untold.append(change)
      return true
    }
    if isChanged { tell() }
  }

  // One thread at a time reports, so that all observers get the changes in order. The others wait until theirs was reported,
  // unless they were called by an observer.
  private func tell() {
    let mayTell = inner.wait { inner -> Bool? in
      if inner.untold.isEmpty { return false }
      if let teller = inner.teller { return teller.isCurrent ? false : nil }
      inner.teller = .current
      return true
    }
    guard mayTell == true else { return }
    while let (change, observers) = next() { for observer in observers { observer.told.tell(change) } }
  }

  private func next() -> (SessionChange, [(id: Int, told: Observer)])? {
    inner.change { inner in
      guard !inner.untold.isEmpty else {
        inner.teller = nil
        return nil
      }
      return (inner.untold.removeFirst(), inner.observers)
    }
  }
}
