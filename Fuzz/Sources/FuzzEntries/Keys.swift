import Curve
import Nostr
import SecretMemory

/// Fixed key pairs, made once. Nobody's.
enum Keys {
  static let alice = pair(1)
  static let bob = pair(2)

  /// The key pair whose secret is the number, 1 to 254, in each of 32 bytes.
  static func pair(_ number: UInt8) -> KeyPair {
    var bytes = [UInt8](repeating: number, count: 32)
    return try! KeyPair(SecretKey(SecretBytes(wiping: &bytes)))  // 1 to 254 in every byte is a valid secret key
  }

  /// Two events to hold filters against.
  static let events: [Event] = [
    UnsignedEvent(pubkey: alice.publicKey, createdAt: 1_700_000_000, kind: 1, tags: [["p", bob.publicKey.hex], ["t", "a"]]),
    UnsignedEvent(pubkey: bob.publicKey, createdAt: 0, kind: 65535, tags: [[], ["e"]], content: "x"),
  ].map { try! $0.signed(by: alice) }  // a valid key signs
}
