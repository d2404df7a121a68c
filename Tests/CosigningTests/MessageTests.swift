import Curve
import Encodings
import JSON
import Nostr
import TestSupport
import Testing
import Threshold

@testable import Cosigning

@Suite("Messages of a group") struct MessageTests {
  @Test("Every message is read as it was written") func all() throws {
    let scene = try Scene(threshold: 2, members: 3)
    func nonce() throws -> PublicNonce { try scene.dealing.shares[0].nonce().publicNonce }
    let secret = CosignPart.secret(
      try SharedSecretPart(for: scene.key.publicKey, share: scene.dealing.shares[0], signers: scene.group.signers([0, 1])))
    let event = scene.event("“quoted”\n\u{1f980}\u{0} end")
    for content in [
      .ask(.sign(event), expires: .max), .ask(.sharedSecret(scene.key.publicKey), expires: 0),
      .part(secret, nonce: try nonce(), next: try nonce()),
      .commit(try nonce()), .decline(.asking), .sign([.init(0, try nonce()), .init(2, try nonce())]),
      .part(.signature(.fresh()), nonce: try nonce(), next: try nonce()),
    ] as [CosignMessage.Content] {
      let message = CosignMessage(group: scene.group.id, request: .fresh(), content)
      let read = try CosignMessage(parsing: message.json())
      #expect(read.json() == message.json() && read.group == message.group && read.request == message.request)
      if case .ask(.sign(let got), _) = read.content { #expect(got.id() == event.id()) }
    }
  }

  @Test("What is no message says what is wrong with it") func wrong() throws {
    let scene = try Scene(threshold: 2, members: 3)
    func changed(_ content: CosignMessage.Content, _ name: String, to value: JSONValue?) throws -> CosignError? {
      let json = try JSONValue(parsing: CosignMessage(group: scene.group.id, request: .fresh(), content).json())
      let rest = try #require(json.members).filter { $0.key != name }
      let text = JSONValue.object(rest + (value.map { [.init(name, $0)] } ?? [])).serialized()
      return error { _ = try CosignMessage(parsing: text) }
    }
    let nonce = try scene.dealing.shares[0].nonce().publicNonce
    for name in ["v", "group", "request", "type", "event", "expires"] {
      for value in [nil, 2, "x", .null] as [JSONValue?] where name != "expires" || value != 2 {
        #expect(try changed(.ask(.sign(scene.event()), expires: 9), name, to: value) == .malformed(wrong: name), "\(name)")
      }
    }
    #expect(try changed(.commit(nonce), "nonce", to: .string(String(repeating: "0", count: 132))) == .malformed(wrong: "nonce"))
    #expect(try changed(.decline(.denied), "reason", to: "other") == .malformed(wrong: "reason"))
    #expect(try changed(.sign([]), "signers", to: .array([.object([])])) == .malformed(wrong: "member"))
    let many = JSONValue.array([JSONValue](repeating: .object([]), count: CosignGroup.mostMembers + 1))
    #expect(try changed(.sign([]), "signers", to: many) == .malformed(wrong: "signers"))
    #expect(try changed(.part(.signature(.fresh()), nonce: nonce, next: nonce), "next", to: nil) == .malformed(wrong: "next"))
    for part in ["", "00", .string(String(repeating: "0", count: 194))] as [JSONValue] {
      #expect(try changed(.part(.signature(.fresh()), nonce: nonce, next: nonce), "part", to: part) == .malformed(wrong: "part"))
    }
    let both = try changed(.ask(.sign(scene.event()), expires: 9), "peer", to: .string(scene.key.publicKey.hex))
    #expect(both == .malformed(wrong: "peer"))
    #expect(error { _ = try CosignMessage(parsing: Array("[]".utf8)) } == .malformed(wrong: "message"))
    let long = [UInt8](repeating: 0x20, count: CosignMessage.longest + 1)
    #expect(error { _ = try CosignMessage(parsing: long) } == .malformed(wrong: "message"))
  }
}
