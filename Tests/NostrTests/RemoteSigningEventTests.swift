import Curve
import Foundation
import Nostr
import TestVectors
import Testing

@Suite("NIP-46 events made by another implementation", .vectors("NIP-46 samples"))
struct RemoteSigningEventTests {
  @Test("Events of another program are valid and can be decrypted on both sides")
  func eachVerifiesAndDecryptsFromBothSides() throws {
    let file = try Vectors.object("nip46/samples.json")
    let client = try Samples.key(hex: try #require(file["client_secret_key"] as? String))
    let signer = try Samples.key(hex: try #require(file["signer_secret_key"] as? String))
    let keys = [try ConversationKey(client, signer.publicKey), try ConversationKey(signer, client.publicKey)]
    for item in try Vectors.cases("nip46/samples.json", "cases") {
      let name = item["name"] as? String ?? ""
      for (side, author) in [("request", client), ("response", signer)] {
        guard let fields = item[side + "_event"] as? [String: Any] else { continue }
        let message = ["EVENT", "sub", fields] as [Any]
        guard case .event("sub", let event) = try RelayMessage(parsing: try Samples.json(message)) else {
          Issue.record("\(name): no event")
          continue
        }
        #expect(throws: Never.self, "\(name)") { try event.verify() }
        #expect(event.pubkey == author.publicKey && event.kind == EventKind.remoteSigning)
        for key in keys {
          #expect(try NIP44.decrypt(event.content, with: key).text == item[side + "_json"] as? String, "\(name)")
        }
      }
    }
  }

  @Test("Broken envelopes are read, and their faults are detected") func brokenEnvelopesAreReadButSeenThrough() throws {
    let faults: [String: EventError] = [
      "signature bit flipped": .invalidSignature, "id does not match": .wrongID, "content changed after signing": .wrongID,
    ]
    for item in try Vectors.cases("nip46/samples.json", "broken_envelopes") {
      let fields = try #require(item["event"] as? [String: Any])
      let event = try Event(parsing: try Samples.json(fields))
      guard let fault = faults[try #require(item["name"] as? String)] else { continue }
      #expect(throws: fault) { try event.verify() }
    }
  }
}
