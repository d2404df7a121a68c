import Curve
import Encodings
import Platform

/// The identities' keys, ready to use or locked away.
///
/// A key leaves this ring only for the length of one use. So locking can wait for the last use, and then no key is left.
final class KeyRing: Sendable {
  fileprivate struct Contents {
    var keys: [PublicKey: KeyPair] = [:]
    /// Those whose keys stay when the ring is locked.
    var kept: Set<PublicKey> = []
    /// Keys for one use each, by the request that they are for.
    var given: [Bytes32: KeyPair] = [:]
    var lock = KeyLock.open
    /// Uses under way of keys that a lock takes away, and of the others.
    var uses = 0
    var keptUses = 0
  }
  private let contents = Locked(Contents())

  /// Sets which keys stay when the ring is locked.
  func setKept(_ kept: Set<PublicKey>) { contents.withLock { $0.kept = kept } }

  /// Replaces the keys. While the ring is locked, it takes only those that stay.
  func set(_ keys: [KeyPair]) { contents.withLock { $0.set(keys) } }

  /// Takes keys again.
  func unlock(with keys: [KeyPair]) {
    contents.withLock { contents in
      contents.lock = .open
      contents.set(keys)
    }
  }

  /// Removes keys. Each is wiped at the end of its last use.
  /// - Parameter everything: also those that stay otherwise.
  func lock(everything: Bool) {
    contents.withLock { contents in
      contents.lock = max(contents.lock, everything ? .shut : .locked)
      contents.given = [:]
      contents.set(Array(contents.keys.values))
    }
  }

  /// Waits for the end of all uses of removed keys.
  /// - Returns: false if one took longer.
  func waitUntilUnused(milliseconds: Int) -> Bool {
    contents.wait(milliseconds: milliseconds) { contents in
      contents.uses == 0 && (contents.lock != .shut || contents.keptUses == 0) ? true : nil
    } ?? false
  }

  // MARK: keys for one use

  /// Takes a key for one request. A lock takes it away.
  func give(_ key: KeyPair, for request: Bytes32) { contents.withLock { $0.given[request] = key } }

  /// Removes it without a use.
  func dropGiven(for request: Bytes32) { contents.withLock { $0.given[request] = nil } }

  // MARK: use

  /// Lends a key: the one that was given for just this request, else the identity's.
  /// - Parameter lockedMeanwhile: called if the key was removed before `body` ended. Forget whatever `body` cached.
  /// - Returns: nil when there is no such key, or it is locked away.
  func use<Result, Failure: Error>(
    _ key: PublicKey, for request: Bytes32, lockedMeanwhile: () -> Void, _ body: (KeyPair) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    let isKept = begin(key)
    defer { end(isKept, lockedMeanwhile) }
    return try lend(key, request, body)
  }

  private func begin(_ key: PublicKey) -> Bool {
    contents.withLock { contents in
      let isKept = contents.kept.contains(key)
      if isKept { contents.keptUses += 1 } else { contents.uses += 1 }
      return isKept
    }
  }

  // This is a separate function so that the reference to the key is gone before the use counts as ended.
  @inline(never)
  private func lend<Result, Failure: Error>(
    _ key: PublicKey, _ request: Bytes32, _ body: (KeyPair) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    let found = contents.withLock { contents in
      (contents.given.isEmpty ? nil : contents.given.removeValue(forKey: request)) ?? contents.keys[key]
    }
    guard let found, found.publicKey == key else { return nil }
    return try body(found)
  }

  // Only a waiting lock needs this.
  private func end(_ isKept: Bool, _ lockedMeanwhile: () -> Void) {
    if contents.withLock({ $0.lock >= (isKept ? .shut : .locked) }) { lockedMeanwhile() }
    let isAwaited = contents.withLock { contents in
      if isKept { contents.keptUses -= 1 } else { contents.uses -= 1 }
      return contents.lock != .open
    }
    if isAwaited { contents.change { _ in } }
  }
}

extension KeyRing.Contents {
  fileprivate mutating func set(_ keys: [KeyPair]) {
    let taken = keys.filter { lock < (kept.contains($0.publicKey) ? .shut : .locked) }
    self.keys = Dictionary(taken.map { ($0.publicKey, $0) }, uniquingKeysWith: { first, _ in first })
  }
}
