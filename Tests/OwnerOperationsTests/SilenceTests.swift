import Curve
import DaemonSupport
import Encodings
import Foundation
import JSON
import Nostr
import OwnerAPI
import RemoteSigning
import SecretMemory
import TestSupport
import Testing
import Vault

@testable import OwnerOperations
@testable import Signer

/// A known key goes in; nothing that comes out, and nothing that lies on the disk, holds it.
@Suite struct SilenceTests {
  @Test("An imported key appears in no result and no file") func aKeyIsInNoResultAndNoFile() throws {
    let signer = try Signer()
    let canary = Canary(0x5167).array
    let hex = canary.hex
    var said: [[UInt8]] = []
    func ask(_ operation: String, _ parameters: JSONValue = [:], secrets: [String: SecretBox] = [:]) throws {
      do throws(OperationError) {
        said.append(
          try signer.operations.perform(ControlRequest(operation, parameters, secrets: secrets), via: .command).json.serialized())
      } catch { said.append(Array("\(error)".utf8)) }
    }
    try ask("identity/import", ["name": "canary"], secrets: ["key": box(hex)])
    try ask("identity/import", ["name": "again"], secrets: ["key": box(hex)])
    try ask("identity/import", ["name": "damaged"], secrets: ["key": box(hex + "0")])
    try ask("identity/default", ["name": "canary"])
    let app = try signer.pairedApp(trust: "low", identity: "canary")
    let transport = try signer.core.store.pairings().map { try $0.signer.secretKey().withBytes { [UInt8]($0) } }
    try signer.deliver(app, "sign_event", [note()])
    try signer.deliver(app, "nip44_encrypt", [app.key.publicKey.hex, "text"])
    for request in signer.core.engine.pendingRequests { try ask("request/approve", ["id": .string(request.name)]) }
    signer.settle()
    #expect(signer.service.counts.signed == 1 && signer.relay.sent.count == 3)
    try ask("sign", ["event": ["kind": 1, "content": "x"]])
    for operation in [
      "identity/list", "identity/show", "client/list", "request/list", "log/show", "log/verify", "status", "pair/new", "nonsense",
    ] { try ask(operation) }
    try ask("client/show", ["client": "tester"])
    try ask("client/deny", ["client": "tester", "permission": "sign_event:1"])
    try ask("identity/rename", ["name": "canary", "to": "bird"])
    for sent in signer.relay.sent {
      said.append(sent.event.json())
      said.append(try app.open(sent.event).serialized())
    }
    signer.settle()
    let open = try signer.home.files()
    #expect(open["vault.db-wal"]?.isEmpty == false)
    signer.close()
    let closed = try signer.home.files()
    #expect(closed["log/audit.log"]?.isEmpty == false && closed["vault.db"]?.isEmpty == false)
    for secret in [canary] + transport {
      let nsec = try NIP19.text(of: SecretKey(try TestSupport.secret(secret))).text()
      #expect(nsec.hasPrefix("nsec1"))
      let forms = [
        secret, Array(secret.hex.utf8), Array(secret.hex.uppercased().utf8), Array(nsec.utf8),
        Array(Data(secret).base64EncodedString().utf8),
      ]
      for form in forms {
        for text in said { #expect(!Self.contains(text, form), "a result") }
        for (name, bytes) in open.merging(closed, uniquingKeysWith: { $0 + $1 }) {
          #expect(!Self.contains(bytes, form), "\(name)")
        }
      }
    }
    // The search finds what is there: the public key is in the results.
    let publicKey = try KeyPair(SecretKey(try TestSupport.secret(canary))).publicKey
    #expect(said.contains { Self.contains($0, Array(publicKey.hex.utf8)) })
  }

  /// The words of a link are secret until it is spent: they lie sealed in the vault and in no log.
  @Test("A link's secret appears in no file") func aLinksSecretIsInNoFile() throws {
    let signer = try Signer()
    let (_, secret) = try signer.appWithLink()
    signer.settle()
    var files = try signer.home.files()
    signer.close()
    files.merge(try signer.home.files()) { $0 + $1 }
    for (name, bytes) in files { #expect(!Self.contains(bytes, Array(secret.utf8)), "\(name)") }
  }

  /// What an app wants signed or decrypted is not in clear on the disk, either.
  @Test("The content of a waiting request appears in no file in plain text") func aWaitingRequestIsNotInClear() throws {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "low")
    try signer.deliver(app, "sign_event", [note("a very private thought")])
    #expect(signer.core.engine.pendingRequests.count == 1)
    var files = try signer.home.files()
    signer.close()
    files.merge(try signer.home.files()) { $0 + $1 }
    for (name, bytes) in files { #expect(!Self.contains(bytes, Array("private thought".utf8)), "\(name)") }
  }

  static func contains(_ text: [UInt8], _ part: [UInt8]) -> Bool {
    Data(text).range(of: Data(part)) != nil
  }
}
