public import Curve
import Encodings
public import JSON
public import Nostr

/// What a link asks for.
public enum LinkRequest: Hashable, Sendable {
  /// The public key of the owner's default identity.
  case publicKey
  /// A signature. If the event names an author, that identity signs.
  case sign(EventTemplate)
  /// A text encrypted for somebody.
  case encrypt(String, to: PublicKey, Encryption)
  /// A text that somebody encrypted, decrypted.
  case decrypt(String, from: PublicKey, Encryption)

  /// How texts are encrypted.
  public enum Encryption: String, Sendable { case nip04, nip44 }

  static func sign(json: [UInt8]) throws(LinkFault) -> LinkRequest {
    guard json.count <= SigningLink.longestPayload else { throw .payloadTooLarge }
    guard let value = try? JSONValue(parsing: json), let template = try? EventTemplate(parsing: json) else { throw .notAnEvent }
    guard value["id"] == nil, value["sig"] == nil else { throw .alreadySigned }
    return .sign(template)
  }

  /// The method and its parameters at the apps' socket (`docs/LOCAL-PROGRAMS.md`).
  public var call: (method: String, parameters: JSONValue) {
    switch self {
    case .publicKey: ("getPublicKey", .object([]))
    case .sign(let template): ("sign", .object([.init("event", template.json)]))
    case .encrypt(let text, let peer, let encryption):
      (encryption.rawValue + "Encrypt", .object([.init("pubkey", .string(peer.hex)), .init("plaintext", .string(text))]))
    case .decrypt(let text, let peer, let encryption):
      (encryption.rawValue + "Decrypt", .object([.init("pubkey", .string(peer.hex)), .init("ciphertext", .string(text))]))
    }
  }

  /// What the answer of the apps' socket means.
  /// - Parameter result: the member `result`.
  /// - Returns: nil if that is no answer to this request. The signature is not verified.
  public func answer(_ result: JSONValue) -> LinkAnswer? {
    switch self {
    case .publicKey: result.string.flatMap { PublicKey(hex: $0) }.map(LinkAnswer.publicKey)
    case .sign: (try? Event(parsing: result.serialized())).map(LinkAnswer.event)
    case .encrypt, .decrypt: result.string.map(LinkAnswer.text)
    }
  }
}

/// What a link gets.
public enum LinkAnswer: Hashable, Sendable {
  /// The owner's public key.
  case publicKey(PublicKey)
  /// The signed event.
  case event(Event)
  /// A text, encrypted or decrypted.
  case text(String)

  /// For a callback of our own form.
  var parameters: [(name: String, value: String)] {
    switch self {
    case .publicKey(let key): [("pubkey", key.hex)]
    case .event(let event): [("id", event.id.hex), ("sig", event.signature.hex), ("pubkey", event.pubkey.hex)]
    case .text(let text): [("text", text)]
    }
  }

  /// For a callback of NIP-55.
  /// - Parameter isGzip: for whole events only.
  func text(wholeEvent: Bool, isGzip: Bool) -> String {
    switch self {
    case .publicKey(let key): key.hex
    case .event(let event) where !wholeEvent: event.signature.hex
    case .event(let event): isGzip ? StoredGzip.signerText(event.json()) : String(decoding: event.json(), as: UTF8.self)
    case .text(let text): text
    }
  }
}
