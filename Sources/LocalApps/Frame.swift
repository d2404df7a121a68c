package import JSON
import RemoteSigning

/// A message of NIP-46 without its envelope, as a program sends it that speaks NIP-46 to a signer on its own machine:
/// `{"id":"1","method":"sign_event","params":["{…}"]}`, answered `{"id":"1","result":"…"}` or `{"id":"1","result":null,"error":"…"}`.
package struct Frame: Sendable {
  /// What it asks.
  enum Asks: Sendable {
    /// Something that the signer is asked, and what `result` says instead of what comes of it, if anything.
    case request(AppRequest, instead: String?)
    /// What is known without asking: the result.
    case known(String)
  }

  /// As the program wrote it: it goes back verbatim.
  package let id: JSONValue
  let asks: Asks
  /// The identity that a `connect` chose. Nil for any other method.
  let chosen: Chosen?
  /// A name or key, nil for the default identity.
  struct Chosen: Sendable, Equatable { let identity: String? }

  /// - Parameter identity: what `connect` chose on the same connection.
  /// - Returns: nil for a line that is no such message, but perhaps a request of the apps' socket.
  package init?(_ line: [UInt8], identity: String?) throws(AppRequest.Unreadable) {
    guard let value = try? JSONValue(parsing: line), value["v"] == nil, let parameters = value["params"]?.array,
      let name = value["method"]?.string
    else { return nil }
    let id = AppRequest.id(value)
    self.id = id
    chosen = name == Method.connect.rawValue ? Chosen(identity: Self.identity(parameters.first)) : nil
    do throws(AppFault) {
      guard id != .null else { throw .noID }
      asks = try Self.asks(name, parameters, identity: chosen.map(\.identity) ?? identity)
    } catch { throw AppRequest.Unreadable(id: id, fault: error) }
  }

  private static func asks(_ name: String, _ parameters: [JSONValue], identity: String?) throws(AppFault) -> Asks {
    switch Method(rawValue: name) {
    case .ping: return .known("pong")
    case .switchRelays: return .known("null")
    case .connect: return .request(AppRequest(.getPublicKey, parameters: [], identity: identity), instead: "ack")
    case .getPublicKey: return .request(AppRequest(.getPublicKey, parameters: [], identity: identity), instead: nil)
    case .logout: return .request(AppRequest(.logout, parameters: [], identity: identity), instead: nil)
    case .signEvent:
      guard let event = parameters.first else { throw AppFault(.invalid, AnswerCode.needsEvent) }
      // Some libraries send an object in place of its text.
      let bytes = event.string.map { Array($0.utf8) } ?? event.serialized()
      return .request(try AppRequest(signing: bytes, identity: identity), instead: nil)
    case .nip04Encrypt: return try encryption(.nip04Encrypt, parameters, identity)
    case .nip04Decrypt: return try encryption(.nip04Decrypt, parameters, identity)
    case .nip44Encrypt: return try encryption(.nip44Encrypt, parameters, identity)
    case .nip44Decrypt: return try encryption(.nip44Decrypt, parameters, identity)
    case .describe, .getRelays, .disconnect, nil: throw .noMethod
    }
  }

  private static func encryption(_ method: AppMethod, _ parameters: [JSONValue], _ identity: String?) throws(AppFault) -> Asks {
    let texts = parameters.compactMap(\.string)
    guard texts.count == parameters.count, texts.count >= 2 else {
      throw AppFault(.invalid, "This method needs two texts: the other person's public key, and what to encrypt or decrypt.")
    }
    return .request(AppRequest(method, parameters: texts.prefix(2).map { Array($0.utf8) }, identity: identity), instead: nil)
  }

  /// The first parameter of `connect`, in the place of a remote-signer key: an identity's name or key, empty for the default one.
  private static func identity(_ parameter: JSONValue?) -> String? {
    parameter?.string.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The answer.
  static func line(_ outcome: AppOutcome, to id: JSONValue, instead: String? = nil) -> [UInt8] {
    switch outcome {
    case .success(let result):
      let text = instead ?? result.string ?? String(decoding: result.serialized(), as: UTF8.self)
      return JSONValue.object([.init("id", id), .init("result", .string(text))]).serialized()
    case .failure(let fault):
      return JSONValue.object([.init("id", id), .init("result", .null), .init("error", .string(fault.message))]).serialized()
    }
  }
}

extension AppFault {
  static let noID = AppFault(.invalid, "A request has an id, a string or a number: \"id\":\"1\".")
}
