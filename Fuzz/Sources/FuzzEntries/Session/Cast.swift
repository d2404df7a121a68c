import Curve
import Nostr

/// Everybody in a session, with their keys made once: two identities, six apps, and twelve remote-signer keys
/// for links: enough pairings to fill the queue of waiting requests.
enum Cast {
  static let identities: [KeyPair] = [11, 12].map(Keys.pair)
  static let apps: [KeyPair] = [21, 22, 23, 24, 25, 26].map(Keys.pair)
  static let signers: [KeyPair] = (31...42).map(Keys.pair)

  private static let conversations: [[ConversationKey]] = apps.map { app in
    signers.map { try! ConversationKey(app, $0.publicKey) }  // two points of the curve
  }
  private static let olderKeys: [[Insecure.NIP04.Key]] = apps.map { app in
    signers.map { try! Insecure.NIP04.Key(app, $0.publicKey) }  // two points of the curve
  }

  static func conversation(_ app: Int, _ signer: Int) -> ConversationKey { conversations[app][signer] }
  static func olderKey(_ app: Int, _ signer: Int) -> Insecure.NIP04.Key { olderKeys[app][signer] }

  static func app(_ key: PublicKey) -> Int? { apps.firstIndex { $0.publicKey == key } }
  static func signer(_ key: PublicKey) -> Int? { signers.firstIndex { $0.publicKey == key } }
}
