import Curve
package import JSON
package import RemoteSigning

/// The apps' socket: `app.sock` in the vault's folder, mode 0600. One JSON object a line, in both directions.
///
/// Request: `{"v":1,"id":"1","method":"sign","params":{…}}`. Answer: `{"id":"1","result":…}` or
/// `{"id":"1","error":{"code":"denied","message":"…"}}`. Answers come in any order.
package enum AppSocket {
  /// The version of the protocol, the member `v` of each request.
  package static let version: Int64 = 1
  /// Bytes of one request or answer.
  package static let lineBytes = 2 << 20
  /// Requests of one connection that may be under way at once.
  package static let requestsAtOnce = 64
  /// Bytes of requests that no worker has taken up yet: of one connection, and of all.
  package static let (bytesOfOne, bytesAtOnce) = (4 << 20, 64 << 20)
  /// The most connections at once.
  package static let connections = 1_024
}

/// What a program asks for.
package enum AppMethod: String {
  case getPublicKey
  case sign
  case nip04Encrypt
  case nip04Decrypt
  case nip44Encrypt
  case nip44Decrypt
  case listIdentities
  /// Takes back what the program may do; it is asked about as at first use.
  case logout

  /// The same of NIP-46. Who the identities are is asked as the public key is.
  var method: Method {
    switch self {
    case .getPublicKey, .listIdentities: .getPublicKey
    case .sign: .signEvent
    case .nip04Encrypt: .nip04Encrypt
    case .nip04Decrypt: .nip04Decrypt
    case .nip44Encrypt: .nip44Encrypt
    case .nip44Decrypt: .nip44Decrypt
    case .logout: .logout
    }
  }
}

/// Why a request gets an error.
package struct AppFault: Error, Equatable {
  package let code: AnswerCode
  /// For people.
  package let message: String

  init(_ code: AnswerCode, _ message: String) { (self.code, self.message) = (code, message) }
}

/// A request, read.
package struct AppRequest {
  /// As the program wrote it, a JSON string or number of at most 256 bytes: it goes back verbatim.
  package let id: JSONValue
  let method: AppMethod
  /// The name or key of the identity that the program wants. Nil for the default one.
  package let identity: String?
  /// The author that the event to sign names, where nothing else names an identity. Only ever a key: an event has no name in it.
  let author: PublicKey?
  /// As in NIP-46.
  package let parameters: [[UInt8]]
  /// For whom the program asks. Nil for itself.
  let behalf: Behalf?

  /// A line that is no request. It may have an id to answer to.
  package struct Unreadable: Error {
    package let id: JSONValue
    package let fault: AppFault
  }

  package static let longestID = 256

  package init(line: [UInt8]) throws(Unreadable) {
    guard let value = try? JSONValue(parsing: line), value.members != nil else {
      throw Unreadable(id: .null, fault: AppFault(.invalid, "A request is one JSON object on one line."))
    }
    let id = Self.id(value)
    do throws(AppFault) { try self.init(value, id) } catch { throw Unreadable(id: id, fault: error) }
  }

  private init(_ value: JSONValue, _ id: JSONValue) throws(AppFault) {
    guard value["v"]?.integer == AppSocket.version else { throw AppFault(.unsupported, "This signer speaks version 1: \"v\":1.") }
    guard id != .null else { throw .noID }
    guard let name = value["method"]?.string else { throw AppFault(.invalid, "A request has a method: \"method\":\"sign\".") }
    let behalf = try value["for"].map { value throws(AppFault) in try Behalf(value) }
    try self.init(name, value["params"] ?? .object([]), id: id, behalf: behalf)
  }

  /// A request that did not come as a line.
  /// - Parameters:
  ///   - method: its name at the apps' socket.
  ///   - parameters: as there, an object.
  init(_ method: String, _ parameters: JSONValue, id: JSONValue = .null, behalf: Behalf? = nil) throws(AppFault) {
    guard let method = AppMethod(rawValue: method) else { throw .noMethod }
    guard parameters.members != nil else { throw AppFault(.invalid, "\"params\" is an object.") }
    (self.id, self.method, self.behalf) = (id, method, behalf)
    self.parameters = try Self.parameters(of: method, parameters)
    identity = parameters["identity"]?.string
    author = identity == nil && method == .sign ? Self.author(Self.event(parameters)) : nil
  }

  /// A request that came in another way, with its parameters as in NIP-46.
  init(_ method: AppMethod, parameters: [[UInt8]], identity: String?, author: PublicKey? = nil) {
    (id, self.method, self.parameters, behalf) = (.null, method, parameters, nil)
    (self.identity, self.author) = (identity, author)
  }

  /// A request to sign an event.
  /// - Parameter event: as JSON. Its `pubkey` names the identity if nothing else does.
  init(signing event: [UInt8], identity: String?) throws(AppFault) {
    guard let event = try? JSONValue(parsing: event), event.members != nil else {
      throw AppFault(.invalid, AnswerCode.needsEvent)
    }
    self.init(.sign, parameters: [event.serialized()], identity: identity, author: identity == nil ? Self.author(event) : nil)
  }

  static func id(_ value: JSONValue) -> JSONValue {
    guard let id = value["id"], id.string != nil || id.integer != nil, id.serialized().count <= longestID else { return .null }
    return id
  }

  private static func parameters(of method: AppMethod, _ value: JSONValue) throws(AppFault) -> [[UInt8]] {
    switch method {
    case .getPublicKey, .listIdentities, .logout: return []
    case .sign:
      let event = event(value)
      guard event.members != nil else { throw AppFault(.invalid, AnswerCode.needsEvent) }
      return [event.serialized()]
    case .nip04Encrypt, .nip44Encrypt: return [try text("pubkey", value), try text("plaintext", value)]
    case .nip04Decrypt, .nip44Decrypt: return [try text("pubkey", value), try text("ciphertext", value)]
    }
  }

  private static func event(_ parameters: JSONValue) -> JSONValue { parameters["event"] ?? .null }

  private static func author(_ event: JSONValue) -> PublicKey? { event["pubkey"]?.string.flatMap { PublicKey(hex: $0) } }

  private static func text(_ name: String, _ value: JSONValue) throws(AppFault) -> [UInt8] {
    guard let text = value[name]?.string else { throw AppFault(.invalid, "This method needs the text “\(name)”.") }
    return Array(text.utf8)
  }
}

/// What became of a request: its result as the apps' socket has it, or an error.
package typealias AppOutcome = Result<JSONValue, AppFault>

/// What goes back to a program.
enum AppAnswer {
  static func line(_ outcome: AppOutcome, to id: JSONValue) -> [UInt8] {
    switch outcome {
    case .success(let result): JSONValue.object([.init("id", id), .init("result", result)]).serialized()
    case .failure(let fault):
      JSONValue.object([
        .init("id", id),
        .init("error", .object([.init("code", .string(fault.code.rawValue)), .init("message", .string(fault.message))])),
      ]).serialized()
    }
  }

  /// The answer of the engine in the words of this protocol.
  /// - Parameter answer: `{"id":…,"result":…}`, as NIP-46 has it.
  static func outcome(_ answer: JSONValue, of method: AppMethod, identities: @autoclosure () -> JSONValue) -> AppOutcome {
    guard let result = answer["result"]?.string else {
      let text = answer["error"]?.string ?? ""
      return .failure(AppFault(AnswerCode(of: text), AnswerCode.sentence(for: text)))
    }
    return switch method {
    case .sign: .success((try? JSONValue(parsing: Array(result.utf8))) ?? .null)
    case .listIdentities: .success(identities())
    default: .success(.string(result))
    }
  }
}
