public import JSON
public import SecretMemory

/// A call of one operation.
public struct ControlRequest: Sendable {
  /// Lower-case words joined by a slash: `client/list`, `status`.
  public let operation: String
  /// An object; its members depend on the operation.
  public let parameters: JSONValue
  /// Secrets by name, for example `key`. They are not part of `parameters` and never become JSON text.
  public let secrets: [String: SecretBox]
  /// The browser session that makes the call; nil for the command line. The console sets it. It is never read from a body.
  public var session: String?
  /// Whether it is an attempt to sign in: nobody is signed in yet, so it does not extend the signer's session. The console sets it.
  public var isSignIn = false

  /// A request by its parts.
  public init(_ operation: String, _ parameters: JSONValue = [:], secrets: [String: SecretBox] = [:]) {
    self.operation = operation
    self.parameters = parameters
    self.secrets = secrets
  }
}

/// Why the body of a request cannot be read.
public enum ControlRequestError: Error, Equatable {
  case operationMalformed
  case parametersNotJSON(JSONError)
  case parametersNotObject
  case secretsMalformed
  /// The secrets' lengths do not add up to the bytes after the first line.
  case secretsLengthWrong
  case tooManySecrets(limit: Int)
  case secretTooLong(limit: Int)
  case outOfMemory
}

// The body: the parameters as JSON on one line; when there are secrets, the member "secrets" is an array of [name, length in bytes],
// and the secrets' bytes follow the line break, one after the other. Secrets stay out of the JSON text because a JSON string becomes
// a `String`, which cannot be wiped.
extension ControlRequest {
  /// The most secrets of any operation.
  public static let mostSecrets = 8
  /// The longest secret in bytes: a file with keys in it.
  public static let longestSecret = 256 << 10

  /// Lends the body for the length of one call and wipes it afterwards.
  package func withBody<R, E: Error>(_ body: ([UInt8]) throws(E) -> R) throws(E) -> R {
    let names = secrets.keys.sorted()
    var members = parameters.members ?? []
    if !names.isEmpty {
      let lengths = names.map { name -> JSONValue in [.string(name), .integer(Int64(secrets[name]?.count ?? 0))] }
      members.append(.init("secrets", .array(lengths)))
    }
    var bytes = JSONValue.object(members).serialized()
    defer { wipe(&bytes) }
    guard !names.isEmpty else { return try body(bytes) }
    // Allocate all of it at once: growing would leave copies behind.
    bytes.reserveCapacity(bytes.count + 1 + names.reduce(0) { $0 + (secrets[$1]?.count ?? 0) })
    bytes.append(0x0A)
    for name in names { secrets[name]?.withBytes { bytes.append(contentsOf: $0) } }
    return try body(bytes)
  }

  /// Reads a body. The caller must wipe `body`.
  public init(operation: String, body: [UInt8]) throws(ControlRequestError) {
    guard Self.isOperation(operation) else { throw .operationMalformed }
    let end = body.firstIndex(of: 0x0A) ?? body.count
    let value: JSONValue
    do { value = try JSONValue(parsing: end == 0 ? Array("{}".utf8) : Array(body[..<end])) } catch {
      throw .parametersNotJSON(error)
    }
    guard let members = value.members else { throw .parametersNotObject }
    self.operation = operation
    parameters = .object(members.filter { $0.key != "secrets" })
    secrets = try Self.secrets(named: value["secrets"], in: body[end...].dropFirst())
  }

  private static func secrets(
    named list: JSONValue?, in bytes: ArraySlice<UInt8>
  ) throws(ControlRequestError) -> [String: SecretBox] {
    var rest = bytes
    var found: [String: SecretBox] = [:]
    guard let entries = list == nil ? [] : list?.array else { throw .secretsMalformed }
    guard entries.count <= mostSecrets else { throw .tooManySecrets(limit: mostSecrets) }
    for entry in entries {
      guard entry.array?.count == 2, let name = entry[0]?.string, let length = entry[1]?.integer, length > 0,
        found[name] == nil
      else { throw .secretsMalformed }
      guard length <= longestSecret else { throw .secretTooLong(limit: longestSecret) }
      guard Int(length) <= rest.count else { throw .secretsLengthWrong }
      do { found[name] = try rest.prefix(Int(length)).withUnsafeBytes { SecretBox(try SecretBytes(copying: $0)) } } catch {
        throw .outOfMemory
      }
      rest = rest.dropFirst(Int(length))
    }
    guard rest.isEmpty else { throw .secretsLengthWrong }
    return found
  }

  /// One or two lower-case words of at most 32 letters each.
  package static func isOperation(_ text: String) -> Bool {
    let words = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return (1...2).contains(words.count)
      && words.allSatisfy { (1...32).contains($0.count) && $0.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x2D } }
  }
}
