import Curve
import Nostr
import Platform

/// NIP-44 keys between identities and the people they write to. A key costs 54 µs; the cache is bounded, and what leaves it is wiped
/// with its last user.
final class ConversationCache: Sendable {
  /// The most keys held.
  static let maximumHeld = 256

  struct Pair: Hashable { let own: PublicKey, peer: PublicKey }
  fileprivate struct Contents {
    var keys: [Pair: ConversationKey] = [:]
    var order: [Pair] = []
    var next = 0
  }
  private let contents = Locked(Contents())

  func key(_ own: KeyPair, _ peer: PublicKey) throws -> ConversationKey {
    let pair = Pair(own: own.publicKey, peer: peer)
    if let key = contents.withLock({ $0.keys[pair] }) { return key }
    let key = try ConversationKey(own, peer)
    contents.withLock { $0.remember(pair, key) }
    return key
  }

  /// Forgets every key, for locking.
  func removeAll() { contents.withLock { $0 = Contents() } }
}

extension ConversationCache.Contents {
  // The oldest is dropped: simple, and good enough for the few peers of a session.
  fileprivate mutating func remember(_ pair: ConversationCache.Pair, _ key: ConversationKey) {
    guard keys.updateValue(key, forKey: pair) == nil else { return }
    guard order.count >= ConversationCache.maximumHeld else { return order.append(pair) }
    keys[order[next]] = nil
    order[next] = pair
    next = (next + 1) % ConversationCache.maximumHeld
  }
}
