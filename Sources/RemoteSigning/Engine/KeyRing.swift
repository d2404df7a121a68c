internal import Curve
internal import Locks

/// The identities' keys, ready to use or locked away.
///
/// Keys leave this ring only for the length of one use, so that locking can wait for the last use and say truly that none is left.
final class KeyRing: Sendable {
  fileprivate struct Contents {
    var keys: [PublicKey: KeyPair] = [:]
    var isLocked = false
    var uses = 0
  }
  private let contents = Locked(Contents())

  /// Replaces the keys; while locked, none is taken.
  func set(_ keys: [KeyPair]) { contents.withLock { $0.isLocked ? () : $0.set(keys) } }

  /// Takes keys again.
  func unlock(with keys: [KeyPair]) {
    contents.withLock { contents in
      contents.isLocked = false
      contents.set(keys)
    }
  }

  /// Lets all keys go. Each is wiped with its last use.
  func lock() {
    contents.withLock { contents in
      contents.isLocked = true
      contents.keys = [:]
    }
  }

  /// Waits until no use is under way.
  /// - Returns: false when one went on for longer.
  func waitUntilUnused(milliseconds: Int) -> Bool {
    contents.wait(milliseconds: milliseconds) { $0.uses == 0 ? true : nil } ?? false
  }

  /// Lends a key.
  /// - Parameter lockedMeanwhile: called when the ring was locked before `body` ended: what it left behind is to be forgotten.
  /// - Returns: nil when there is no such key, or it is locked away.
  func use<Result, Failure: Error>(
    _ key: PublicKey, lockedMeanwhile: () -> Void, _ body: (KeyPair) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    guard begin() else { return nil }
    defer { end(lockedMeanwhile) }
    return try lend(key, body)
  }

  private func begin() -> Bool {
    contents.withLock { contents in
      guard !contents.isLocked else { return false }
      contents.uses += 1
      return true
    }
  }

  // A function of its own: the key's reference is gone when it returns, before the use is said to be over.
  @inline(never)
  private func lend<Result, Failure: Error>(
    _ key: PublicKey, _ body: (KeyPair) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    guard let pair = contents.withLock({ $0.keys[key] }) else { return nil }
    return try body(pair)
  }

  // The common end wakes nobody: only a lock that waits is to be woken.
  private func end(_ lockedMeanwhile: () -> Void) {
    if contents.withLock({ $0.isLocked }) { lockedMeanwhile() }
    let isAwaited = contents.withLock { contents in
      contents.uses -= 1
      return contents.isLocked
    }
    if isAwaited { contents.change { _ in } }
  }
}

extension KeyRing.Contents {
  fileprivate mutating func set(_ keys: [KeyPair]) {
    self.keys = Dictionary(keys.map { ($0.publicKey, $0) }, uniquingKeysWith: { first, _ in first })
  }
}
