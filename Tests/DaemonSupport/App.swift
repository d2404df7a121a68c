package import Curve
import Encodings
package import JSON
package import Nostr
import RemoteSigning

/// An app's side of NIP-46, made by hand.
package final class App: Sendable {
  /// What an app reads.
  package enum Seen: Equatable { case result(String), error(String) }

  package let key: KeyPair
  package let signer: PublicKey

  package init(signer: PublicKey, key: KeyPair? = nil) throws { (self.signer, self.key) = (signer, try key ?? KeyPair.random()) }

  package func request(_ method: String, _ parameters: [String] = [], id: String? = nil, now: Int64) throws -> Event {
    let body = JSONValue.object([
      .init("id", .string(id ?? String(Bytes32.fresh().hex.prefix(16)))), .init("method", .string(method)),
      .init("params", .array(parameters.map { .string($0) })),
    ])
    let content = try NIP44.encrypt(body.serialized(), with: ConversationKey(key, signer))
    return try UnsignedEvent(
      pubkey: key.publicKey, createdAt: now, kind: 24133, tags: [["p", signer.hex]],
      content: String(decoding: content, as: UTF8.self)
    ).signed(by: key)
  }

  /// The whole answer, after the checks a careful app makes.
  package func open(_ event: Event) throws -> JSONValue {
    guard event.pubkey == signer, event.hasCorrectID, event.hasValidSignature, event.tags == [["p", key.publicKey.hex]] else {
      throw Missing()
    }
    let text = try NIP44.decrypt(Array(event.content.utf8), with: ConversationKey(key, signer), limit: 8 << 20)
    return try JSONValue(parsing: text)
  }

  package func read(_ event: Event) throws -> Seen {
    let answer = try open(event)
    if let error = answer["error"]?.string { return .error(error) }
    return .result(try unwrap(answer["result"]?.string))
  }
}

/// An event as apps send it for signing.
package func note(_ content: String = "hello", kind: Int = 1) -> String {
  let value: JSONValue = [
    "kind": .integer(Int64(kind)), "content": .string(content), "tags": [], "created_at": 1_749_999_990,
  ]
  return String(decoding: value.serialized(), as: UTF8.self)
}
