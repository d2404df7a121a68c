import JSON
import RemoteSigning

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
enum AppMethod: String {
  case getPublicKey
  case sign
  case nip04Encrypt
  case nip04Decrypt
  case nip44Encrypt
  case nip44Decrypt
  case listIdentities

  /// The same of NIP-46. Who the identities are is asked as the public key is.
  var method: Method {
    switch self {
    case .getPublicKey, .listIdentities: .getPublicKey
    case .sign: .signEvent
    case .nip04Encrypt: .nip04Encrypt
    case .nip04Decrypt: .nip04Decrypt
    case .nip44Encrypt: .nip44Encrypt
    case .nip44Decrypt: .nip44Decrypt
    }
  }
}

/// Why a request gets an error.
struct AppFault: Error, Equatable {
  let code: AnswerCode
  /// For people.
  let message: String

  init(_ code: AnswerCode, _ message: String) { (self.code, self.message) = (code, message) }
}

/// Where an answer goes, and what it is to.
struct AppReply: Sendable {
  let id: JSONValue
  let method: AppMethod
}

/// A request, read.
struct AppRequest {
  /// As the program wrote it, a JSON string or number of at most 256 bytes: it goes back verbatim.
  let id: JSONValue
  let method: AppMethod
  /// The name or key of the identity that the program wants. Nil for the default one.
  let identity: String?
  /// As in NIP-46.
  let parameters: [[UInt8]]

  /// A line that is no request. It may have an id to answer to.
  struct Unreadable: Error {
    let id: JSONValue
    let fault: AppFault
  }

  static let longestID = 256

  var reply: AppReply { AppReply(id: id, method: method) }

  init(line: [UInt8]) throws(Unreadable) {
    guard let value = try? JSONValue(parsing: line), value.members != nil else {
      throw Unreadable(id: .null, fault: AppFault(.invalid, "A request is one JSON object on one line."))
    }
    let id = Self.id(value)
    do throws(AppFault) { try self.init(value, id) } catch { throw Unreadable(id: id, fault: error) }
  }

  private init(_ value: JSONValue, _ id: JSONValue) throws(AppFault) {
    guard value["v"]?.integer == AppSocket.version else { throw AppFault(.unsupported, "This signer speaks version 1: \"v\":1.") }
    guard id != .null else { throw AppFault(.invalid, "A request has an id, a string or a number: \"id\":\"1\".") }
    guard let name = value["method"]?.string else { throw AppFault(.invalid, "A request has a method: \"method\":\"sign\".") }
    guard let method = AppMethod(rawValue: name) else { throw AppFault(.unsupported, "The signer has no method of this name.") }
    let parameters = value["params"] ?? .object([])
    guard parameters.members != nil else { throw AppFault(.invalid, "\"params\" is an object.") }
    (self.id, self.method) = (id, method)
    self.parameters = try Self.parameters(of: method, parameters)
    identity = parameters["identity"]?.string ?? (method == .sign ? Self.event(parameters)["pubkey"]?.string : nil)
  }

  private static func id(_ value: JSONValue) -> JSONValue {
    guard let id = value["id"], id.string != nil || id.integer != nil, id.serialized().count <= longestID else { return .null }
    return id
  }

  private static func parameters(of method: AppMethod, _ value: JSONValue) throws(AppFault) -> [[UInt8]] {
    switch method {
    case .getPublicKey, .listIdentities: return []
    case .sign:
      let event = event(value)
      guard event.members != nil else { throw AppFault(.invalid, AnswerCode.needsEvent) }
      return [event.serialized()]
    case .nip04Encrypt, .nip44Encrypt: return [try text("pubkey", value), try text("plaintext", value)]
    case .nip04Decrypt, .nip44Decrypt: return [try text("pubkey", value), try text("ciphertext", value)]
    }
  }

  private static func event(_ parameters: JSONValue) -> JSONValue { parameters["event"] ?? .null }

  private static func text(_ name: String, _ value: JSONValue) throws(AppFault) -> [UInt8] {
    guard let text = value[name]?.string else { throw AppFault(.invalid, "This method needs the text “\(name)”.") }
    return Array(text.utf8)
  }
}

/// What goes back to a program.
enum AppAnswer {
  static func result(_ result: JSONValue, to id: JSONValue) -> [UInt8] {
    JSONValue.object([.init("id", id), .init("result", result)]).serialized()
  }

  static func error(_ fault: AppFault, to id: JSONValue) -> [UInt8] {
    let error = JSONValue.object([.init("code", .string(fault.code.rawValue)), .init("message", .string(fault.message))])
    return JSONValue.object([.init("id", id), .init("error", error)]).serialized()
  }

  /// The answer of the engine in the words of this protocol.
  /// - Parameter answer: `{"id":…,"result":…}`, as NIP-46 has it.
  static func of(_ answer: JSONValue, to request: AppReply, identities: @autoclosure () -> JSONValue) -> [UInt8] {
    guard let result = answer["result"]?.string else {
      let text = answer["error"]?.string ?? ""
      return error(AppFault(AnswerCode(of: text), AnswerCode.sentence(for: text)), to: request.id)
    }
    switch request.method {
    case .sign: return self.result((try? JSONValue(parsing: Array(result.utf8))) ?? .null, to: request.id)
    case .listIdentities: return self.result(identities(), to: request.id)
    default: return self.result(.string(result), to: request.id)
    }
  }
}
