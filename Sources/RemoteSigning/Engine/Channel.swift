public import Curve
import Nostr
import Platform

/// The transport keys of one link or pairing: this signer's key and the conversation with the paired app.
public final class Channel: Sendable {
  /// The key that answers.
  public let signer: KeyPair
  /// The conversation key of the paired app, after its first use. Keys of strangers are not kept.
  private let kept = Locked<(client: PublicKey, key: ConversationKey)?>(nil)

  /// - Parameter signer: made for this link alone.
  public init(signer: KeyPair) { self.signer = signer }

  /// The NIP-44 key between this signer and an app. Costs 54 µs unless it is kept.
  func conversation(with client: PublicKey, keeping: Bool) throws -> ConversationKey {
    if let key = kept.withLock({ $0?.client == client ? $0?.key : nil }) { return key }
    let key = try ConversationKey(signer, client)
    if keeping { kept.withLock { $0 = (client, key) } }
    return key
  }
}
