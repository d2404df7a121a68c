import Platform
import SecretMemory
import TestSupport
import Testing

@testable import Vault

@Suite struct SessionManagerTests {
  final class Signals: LockSignals {
    private struct Hook: Sendable { let heard: @Sendable (LockSignal) -> Void }
    private let hook = Locked<Hook?>(nil)
    func listen(_ heard: @escaping @Sendable (LockSignal) -> Void) { hook.withLock { $0 = Hook(heard: heard) } }
    func stop() { hook.withLock { $0 = nil } }
    func say(_ signal: LockSignal) { hook.withLock { $0 }?.heard(signal) }
  }

  final class Holder: SensitiveHolder {
    let wiped = Locked(0)
    func wipe() { wiped.withLock { $0 += 1 } }
  }

  struct Bench {
    let now = Locked<Int64>(0)
    let signals = Signals()
    let manager: SessionManager
    let told = Locked<[SessionChange]>([])

    init(_ policy: SessionPolicy = SessionPolicy()) {
      let now = now
      manager = SessionManager(policy, clock: .init { now.withLock { $0 } }, signals: [signals])
      let told = told
      manager.observe { change in told.withLock { $0.append(change) } }
    }

    func pass(_ seconds: Int64) { now.withLock { $0 += seconds * 1000 } }
  }

  @Test("The session locks after five minutes without use") func fiveMinutesWithoutAnythingLockIt() throws {
    let bench = Bench()
    #expect(!bench.manager.isOpen)
    bench.manager.start()
    bench.pass(299)
    #expect(bench.manager.touch())
    bench.pass(299)
    #expect(bench.manager.isOpen)
    #expect(bench.manager.remaining == 1000)
    bench.pass(1)
    #expect(!bench.manager.isOpen)
    #expect(bench.told.withLock { $0 } == [.started, .locked(.inactivity)])
  }

  @Test("A touch that comes too late does not extend the session") func aTouchThatComesTooLateProlongsNothing() {
    let bench = Bench()
    bench.manager.start()
    bench.pass(300)
    #expect(!bench.manager.touch())
    #expect(!bench.manager.isOpen)
    #expect(bench.told.withLock { $0 } == [.started, .locked(.inactivity)])
  }

  /// No timer ran, as on a machine that slept: the use itself finds the time over.
  @Test("A secret is not available after the session's time is over") func aSecretIsNotLentWhenTheTimeIsOver() throws {
    let bench = Bench()
    bench.manager.start()
    let secret = try bench.manager.hold(TestSupport.secret("token"))
    #expect(try secret.use { $0.count } == 5)
    bench.pass(86_400)
    #expect(throws: KeyStoreError.interactionNotAllowed) { try secret.use { $0.count } }
    bench.manager.start()
    #expect(throws: KeyStoreError.interactionNotAllowed) { try secret.use { $0.count } }
  }

  @Test("Suspend and screen lock end the session unless the user turned that off", arguments: LockSignal.allCases)
  func theMachinesSignalsLockItUnlessTheUserWantsNot(signal: LockSignal) {
    let bench = Bench()
    bench.manager.start()
    bench.signals.say(signal)
    #expect(!bench.manager.isOpen)
    #expect(bench.told.withLock { $0 } == [.started, .locked(.signal(signal))])
    let other = Bench(SessionPolicy(inactivity: nil, locksOnSuspend: false, locksOnDesktopLock: false))
    other.manager.start()
    other.signals.say(signal)
    other.pass(1 << 40)
    #expect(other.manager.isOpen && other.manager.remaining == nil)
  }

  @Test("A shorter time limit takes effect at once") func aShorterTimeHoldsAtOnce() {
    let bench = Bench()
    bench.manager.start()
    bench.pass(60)
    bench.manager.policy = SessionPolicy(inactivity: 30)
    #expect(bench.told.withLock { $0 } == [.started, .locked(.inactivity)])
  }

  @Test("Extreme time limits do not crash the session") func numbersAtTheEndOfAllTimesTrapNothing() {
    for inactivity in [Int64.max, .min, 0, -1] {
      let bench = Bench(SessionPolicy(inactivity: inactivity))
      bench.manager.start()
      _ = bench.manager.isOpen
      bench.manager.touch()
    }
  }

  @Test("Registered secrets are wiped once before anybody is told")
  func everythingRegisteredIsWipedOnceBeforeAnybodyIsTold() throws {
    for end in [{ $0.lock() }, { $0.end() }, { $0.close() }] as [(SessionManager) -> Void] {
      let bench = Bench()
      let holder = Holder()
      #expect(throws: KeyStoreError.interactionNotAllowed) { try bench.manager.register(holder) }
      #expect(holder.wiped.withLock { $0 } == 1)  // there is no session: it may not be kept
      bench.manager.start()
      try bench.manager.register(holder)
      let whenTold = Locked<[Int]>([])
      bench.manager.observe { _ in whenTold.withLock { $0.append(holder.wiped.withLock { $0 }) } }
      end(bench.manager)
      end(bench.manager)
      #expect(whenTold.withLock { $0 } == [2])
      #expect(holder.wiped.withLock { $0 } == 2)
    }
  }

  @Test("Several locks at once are reported once") func ofManyThatLockAtOnceEverybodyIsToldOnce() {
    let bench = Bench()
    for _ in 0..<50 {
      bench.manager.start()
      let threads = (0..<4).compactMap { number in
        SystemThread.start { number % 2 == 0 ? bench.manager.lock() : bench.signals.say(.willSleep) }
      }
      for thread in threads { thread.join() }
    }
    let told = bench.told.withLock { $0 }
    #expect(told.count == 100)
    for (index, change) in told.enumerated() { #expect((change == .started) == (index % 2 == 0)) }
  }

  @Test("An observer may lock the session") func anObserverMayCallTheSession() {
    let bench = Bench()
    let manager = bench.manager
    manager.observe { change in if change == .started { manager.lock() } }
    manager.start()
    #expect(!manager.isOpen)
    #expect(bench.told.withLock { $0 } == [.started, .locked(.asked)])
    let number = manager.observe { _ in Issue.record("was stopped") }
    manager.stopObserving(number)
    manager.end()
  }

  /// The machine's own clock and timer: nobody asks, and yet it locks.
  @Test("The timer locks the session even without a call") func theTimerLocksItWhenNobodyAsks() {
    let manager = SessionManager(SessionPolicy(inactivity: 1))
    let told = Locked<[SessionChange]>([])
    manager.observe { change in told.change { $0.append(change) } }
    manager.start()
    manager.policy = SessionPolicy(inactivity: 0)
    #expect(told.wait(milliseconds: 5_000) { $0.count == 2 ? $0 : nil } == [.started, .locked(.inactivity)])
    manager.policy = SessionPolicy(inactivity: 1)
    manager.start()
    #expect(told.wait(milliseconds: 5_000) { $0.count == 4 ? true : nil } == true)
    manager.close()
  }

  @Test(
    "No secret stays in memory, however the session ends",
    arguments: ["lock", "end", "expiry", "suspend", "desktop lock", "close"])
  func afterEveryWayToLockNothingIsInMemory(way: String) throws {
    let bench = Bench()
    let canary = Canary(0x5e55 + UInt64(way.utf8.count))
    bench.manager.start()
    let held = try bench.manager.hold(SecretBytes(count: Canary.length) { canary.plant(in: $0) })
    #expect(try held.use { canary.occurrences(in: $0) } == 1)
    switch way {
    case "lock": bench.manager.lock()
    case "end": bench.manager.end()
    case "expiry":
      bench.pass(301)
      #expect(!bench.manager.isOpen)
    case "suspend": bench.signals.say(.willSleep)
    case "desktop lock": bench.signals.say(.desktopLocked)
    default: bench.manager.close()
    }
    #expect(MemoryScan.occurrences(of: canary) == 0)
    withExtendedLifetime(held) {}
  }
}
