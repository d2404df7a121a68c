// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import JSON
import SecretMemory

/// An operation of the owner: its name, its request and its response.
///
/// The command line, the console, the desktop and the owner's programs all use this contract. To add an operation, write its file
/// here, its handler in `OwnerOperations` and its command in `holdfast`. CONTRIBUTING shows an example.
public protocol OwnerOperation: SendableMetatype {
  associatedtype Request: Fields
  associatedtype Response: Fields

  /// Its name, who may call it, and where it runs.
  static var properties: OperationProperties { get }
}

extension OwnerOperation {
  /// Reads the typed request out of a call, from its JSON and its secrets.
  public static func request(from call: ControlRequest) throws(FieldError) -> Request {
    try FieldVisitor.read(Request.self, from: call.parameters, secrets: call.secrets.mapValues { .text($0) })
  }

  /// The call for a request.
  public static func call(_ request: Request) -> ControlRequest {
    let written = FieldVisitor.write(request, .asking)
    let secrets = written.secrets.compactMapValues { secret in if case .text(let text) = secret { text } else { nil } }
    return ControlRequest(properties.name, .object(written.members), secrets: secrets)
  }

  /// The result for a response.
  public static func result(_ response: Response) -> ControlResult {
    let written = FieldVisitor.write(response, .answering)
    return ControlResult(.object(written.members), secrets: written.secrets)
  }

  /// Reads a response.
  public static func response(from result: ControlResult) throws(FieldError) -> Response {
    try FieldVisitor.read(Response.self, from: result.json, secrets: result.secrets)
  }
}

/// A request or a response without members.
public struct Nothing: Fields {
  public init() {}
  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {}
}
