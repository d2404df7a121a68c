import Platform
import Sockets

/// Has a store that takes no changes tried again now and then, on a thread of its own: the loop thread must not wait for a disk.
final class StoreTrials: Sendable {
  /// Milliseconds between two trials.
  static let pause = 10_000

  private let store: any RegistrationsStore
  private let loop: EventLoop
  private let trying = WorkQueue(threads: 1, most: 1)

  init(_ store: any RegistrationsStore, _ loop: EventLoop) { (self.store, self.loop) = (store, loop) }

  /// Begins. On the loop thread.
  func begin() {
    if !store.health.isReachable { _ = trying.add(0) { [store] in store.tryAgain() } }
    _ = loop.after(milliseconds: Self.pause) { [weak self] in self?.begin() }
  }

  /// Ends when the last trial has.
  func stop() { trying.stop() }
}
