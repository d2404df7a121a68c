import Ciphers
import Encodings
import JSON
import SecretMemory

@testable import Console

/// A security key in software, and the browser before it: does what WebAuthn says, or what a test wants instead.
struct Authenticator {
  final class Key: Sendable {
    let key: P256.PrivateKey
    init() throws { key = try P256.PrivateKey.random() }
  }
  let key: Key
  var id = SystemRandom.bytes(32)
  var userHandle: [UInt8] = []
  var count: UInt32 = 0
  var flags: UInt8 = 1 | 4
  var party = "localhost"
  var origin: String
  var crossOrigin: JSONValue? = false
  var topOrigin: JSONValue?
  var type: String?
  var algorithm: Int8 = -7

  init(origin: String) throws {
    key = try Key()
    self.origin = origin
  }

  /// Another key that claims to be the same passkey.
  init(origin: String, like other: Authenticator) throws {
    try self.init(origin: origin)
    (id, userHandle, count) = (other.id, other.userHandle, other.count)
  }

  /// What `navigator.credentials.create` gives.
  mutating func create(_ options: JSONValue) throws -> JSONValue {
    userHandle = try bytes(options["user"]?["id"])
    let clientData = try clientData(options, "webauthn.create")
    let data = authenticatorData(flags: flags | 64) + attested()
    let object = map([
      (text("fmt"), text("none")), (text("attStmt"), map([])), (text("authData"), string(data)),
    ])
    return credential(["clientDataJSON": clientData, "attestationObject": object])
  }

  /// What `navigator.credentials.get` gives.
  mutating func get(_ options: JSONValue) throws -> JSONValue {
    count += 1
    let clientData = try clientData(options, "webauthn.get")
    let data = authenticatorData(flags: flags)
    let signature = try key.key.sign(message: data + SHA256.digest(of: clientData).array)
    return credential([
      "clientDataJSON": clientData, "authenticatorData": data, "signature": signature.der ?? [], "userHandle": userHandle,
    ])
  }

  private func credential(_ parts: [String: [UInt8]]) -> JSONValue {
    [
      "id": .string(Base64URL.string(id)), "rawId": .string(Base64URL.string(id)), "type": "public-key",
      "clientExtensionResults": [:],
      "response": .object(parts.map { .init($0.key, .string(Base64URL.string($0.value))) }),
    ]
  }

  private func clientData(_ options: JSONValue, _ usual: String) throws -> [UInt8] {
    var members: [JSONValue.Member] = [
      .init("type", .string(type ?? usual)), .init("challenge", options["challenge"] ?? .null), .init("origin", .string(origin)),
    ]
    if let crossOrigin { members.append(.init("crossOrigin", crossOrigin)) }
    if let topOrigin { members.append(.init("topOrigin", topOrigin)) }
    return JSONValue.object(members).serialized()
  }

  private func authenticatorData(flags: UInt8) -> [UInt8] {
    SHA256.digest(of: Array(party.utf8)).array + [flags] + (0..<4).reversed().map { UInt8(count >> ($0 * 8) & 0xFF) }
  }

  private func attested() -> [UInt8] {
    [UInt8](repeating: 0, count: 16) + [UInt8(id.count >> 8), UInt8(id.count & 0xFF)] + id
      + map([
        ([1], [2]), ([3], [UInt8(0x20) | UInt8(-1 - Int(algorithm))]), ([0x20], [1]), ([0x21], string(key.key.publicKey.x)),
        ([0x22], string(key.key.publicKey.y)),
      ])
  }

  private func bytes(_ value: JSONValue?) throws -> [UInt8] { Base64URL.decode(value?.string ?? "") ?? [] }

  private func map(_ entries: [([UInt8], [UInt8])]) -> [UInt8] {
    [0xA0 | UInt8(entries.count)] + entries.flatMap { $0.0 + $0.1 }
  }
  private func text(_ text: String) -> [UInt8] { [0x60 | UInt8(text.utf8.count)] + Array(text.utf8) }
  private func string(_ bytes: [UInt8]) -> [UInt8] {
    bytes.count < 256 ? [0x58, UInt8(bytes.count)] + bytes : [0x59, UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)] + bytes
  }
}

extension Browser {
  /// Adds a passkey; the browser must be signed in.
  mutating func add(_ authenticator: inout Authenticator, name: String = "phone") throws -> Got {
    let options = try call("passkey/begin").result["publicKey"] ?? .null
    return try call("passkey/add", ["credential": try authenticator.create(options), "name": .string(name)])
  }

  /// Signs in with a passkey.
  mutating func signIn(_ authenticator: inout Authenticator) throws -> Got {
    let options = try call("passkey/challenge").result["publicKey"] ?? .null
    return try call("passkey/sign-in", ["credential": try authenticator.get(options)])
  }
}
