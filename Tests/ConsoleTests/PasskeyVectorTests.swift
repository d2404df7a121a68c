import Encodings
import JSON
import TestVectors
import Testing

@testable import Console

/// The ceremonies of WebAuthn Level 3, section 16: what browsers and authenticators send, made by others.
@Suite("WebAuthn test vectors", .vectors("WebAuthn"))
struct PasskeyVectorTests {
  private let party: String
  private let origin: ConsoleOrigin

  init() throws {
    let file = try Vectors.object("webauthn/vectors.json")
    party = try #require(file["rp_id"] as? String)
    origin = try #require(ConsoleOrigin(parsing: file["origin"] as? String ?? "", isSecure: true, port: 443))
  }

  @Test("A passkey with a supported key type can be registered and can sign in") func ceremonies() throws {
    for vector in try Vectors.cases("webauthn/vectors.json", "vectors") {
      let name = try #require(vector["name"] as? String)
      let made = try part(vector, "registration")
      let registration = json(made, id: made, ["clientDataJSON", "attestationObject"])
      guard name.contains("ES256") else {
        #expect(throws: PasskeyError.keyOfAnotherKind, "\(name)") { try NewCredential(registration) }
        continue
      }
      let new = try NewCredential(registration)
      #expect(new.credential.id == bytes(made, "credential_id"), "\(name)")
      try checkClientData(new.clientData, .create, made, name)
      try checkParty(new.data, name)

      let used = try part(vector, "authentication")
      let answer = try SignedChallenge(json(used, id: made, ["clientDataJSON", "authenticatorData", "signature"]))
      #expect(answer.isSigned(by: new.credential.key), "\(name)")
      try checkClientData(answer.clientData, .get, used, name)
      try checkParty(answer.data, name)
      var changed = used
      changed["clientDataJSON"] = Hex.encode(bytes(used, "clientDataJSON") + [0x20])
      let forged = try SignedChallenge(json(changed, id: made, ["clientDataJSON", "authenticatorData", "signature"]))
      #expect(!forged.isSigned(by: new.credential.key), "\(name)")
    }
  }

  /// The standard lets a site take what a stranger's frame asked for; we do not.
  private func checkClientData(_ data: [UInt8], _ purpose: ClientData.Purpose, _ part: [String: String], _ name: String) throws {
    let other: ClientData.Purpose = purpose == .create ? .get : .create
    #expect(throws: PasskeyError.otherPurpose, "\(name)") { try ClientData(data, for: other, at: origin) }
    if try JSONValue(parsing: data)["crossOrigin"] == true {
      #expect(throws: PasskeyError.otherOrigin, "\(name)") { try ClientData(data, for: purpose, at: origin) }
    } else {
      #expect(try ClientData(data, for: purpose, at: origin).challenge == bytes(part, "challenge"), "\(name)")
    }
  }

  private func checkParty(_ data: AuthenticatorData, _ name: String) throws {
    #expect(throws: PasskeyError.forAnotherHost, "\(name)") { try data.check(party: "other." + party) }
    let isVerified = data.flags.isSuperset(of: [.present, .verified])
    if isVerified {
      #expect(throws: Never.self, "\(name)") { try data.check(party: party) }
    } else {
      #expect(throws: PasskeyError.ownerNotVerified, "\(name)") { try data.check(party: party) }
    }
  }

  /// As the browser's script sends it.
  private func json(_ part: [String: String], id: [String: String], _ names: [String]) -> JSONValue {
    let members = names.map { JSONValue.Member($0, .string(Base64URL.string(bytes(part, $0)))) }
    return .object([
      .init("type", "public-key"), .init("rawId", .string(Base64URL.string(bytes(id, "credential_id")))),
      .init("response", .object(members)),
    ])
  }

  private func part(_ vector: [String: Any], _ name: String) throws -> [String: String] {
    try #require(vector[name] as? [String: Any]).compactMapValues { $0 as? String }
  }

  private func bytes(_ part: [String: String], _ name: String) -> [UInt8] { Hex.decode(part[name] ?? "") ?? [] }
}
