import Curve
import Encodings
import Nostr

/// Why a request's parameters cannot be used; the text goes to the app.
struct ParameterError: Error {
  let text: String
  /// The rule that refuses it, if it is not a mistake of the app.
  var rule: Rule?

  static let signersEnvelope = ParameterError(text: ReplyText.signersEnvelope, rule: .signersEnvelope)
}

extension Operation {
  /// Reads the parameters of a request that uses the user's key.
  init(_ method: Method, _ parameters: [[UInt8]], for pairing: Pairing) throws(ParameterError) {
    switch method {
    case .getPublicKey: self = .identify
    case .signEvent: self = .sign(try Self.template(parameters, pairing))
    case .nip44Encrypt: self = .encrypt(.nip44, peer: try Self.peer(parameters), text: try Self.text(parameters))
    case .nip04Encrypt: self = .encrypt(.nip04, peer: try Self.peer(parameters), text: try Self.text(parameters))
    case .nip44Decrypt: self = .decrypt(.nip44, peer: try Self.peer(parameters), payload: try Self.text(parameters))
    case .nip04Decrypt: self = .decrypt(.nip04, peer: try Self.peer(parameters), payload: try Self.text(parameters))
    default: throw ParameterError(text: ReplyText.unsupported(method.rawValue))
    }
  }

  /// The kind of the event to sign.
  var kind: Int? { if case .sign(let template) = self { template.kind } else { nil } }

  // An app may name the user's key or, as some do, the transport key. Any other key is a mistake, and the app is told.
  private static func template(_ parameters: [[UInt8]], _ pairing: Pairing) throws(ParameterError) -> EventTemplate {
    guard let text = parameters.first else { throw ParameterError(text: ReplyText.parameters(of: .signEvent)) }
    let template: EventTemplate
    do { template = try EventTemplate(parsing: text) } catch { throw ParameterError(text: ReplyText.notAnEvent) }
    if let key = template.pubkey, key != pairing.identity, key != pairing.remoteSigner, key != pairing.client {
      throw ParameterError(text: ReplyText.otherKey(key, ours: pairing.identity))
    }
    return template
  }

  private static func peer(_ parameters: [[UInt8]]) throws(ParameterError) -> PublicKey {
    guard let hex = parameters.first, let bytes = Bytes32(hex: hex), PublicKey(bytes).isOnCurve else {
      throw ParameterError(text: ReplyText.notAKey)
    }
    return PublicKey(bytes)
  }

  private static func text(_ parameters: [[UInt8]]) throws(ParameterError) -> [UInt8] {
    guard parameters.count > 1 else { throw ParameterError(text: ReplyText.missingText) }
    return parameters[1]
  }
}
