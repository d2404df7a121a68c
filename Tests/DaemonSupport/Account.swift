package import Curve
package import JSON
package import Nostr
import OwnerAPI
package import RemoteSigning

@testable import OwnerOperations
@testable import RequestPreview
@testable import Signer

/// One account of a request that was never sent.
package struct Account {
  package static let receivedAt: Int64 = 1_750_000_000
  package let json: JSONValue

  package init(
    _ method: RemoteSigning.Method, _ parameters: [String], identity: PublicKey? = nil, before: EventTemplate? = nil
  ) throws {
    let key = try identity ?? KeyPair.random().publicKey
    let kind = method == .signEvent ? parameters.first.flatMap { try? EventTemplate(parsing: Array($0.utf8)) }?.kind : nil
    let request = PendingRequest(
      name: "abcdef12", remoteSigner: key, client: key, identity: key, method: method,
      parameters: parameters.map { Array($0.utf8) }, kind: kind, rule: .lowTrust, eventID: key.bytes,
      receivedAt: Self.receivedAt, replies: [])
    let description = RequestDescription(
      request, .init(pairing: nil, identityName: "main", facts: nil, before: before, batches: Batches([request])))
    json = RequestShow.result(WaitingRequestDetail(description, presence: nil, names: { _ in nil })).json
  }

  package init(
    kind: Int, _ content: String = "", _ tags: [[String]] = [], at createdAt: Int64? = nil, identity: PublicKey? = nil,
    before: EventTemplate? = nil
  ) throws {
    try self.init(.signEvent, [Self.template(kind, content, tags, createdAt)], identity: identity, before: before)
  }

  package static func template(_ kind: Int, _ content: String, _ tags: [[String]], _ createdAt: Int64? = nil) -> String {
    var members: [JSONValue.Member] = [
      .init("kind", .integer(Int64(kind))), .init("content", .string(content)),
      .init("tags", .array(tags.map { .array($0.map { .string($0) }) })),
    ]
    if let createdAt { members.append(.init("created_at", .integer(createdAt))) }
    return String(decoding: JSONValue.object(members).serialized(), as: UTF8.self)
  }

  package var title: String { json["title"]?.string ?? "" }
  package var parts: [JSONValue] { json["parts"]?.array ?? [] }
  package func parts(_ type: String) -> [JSONValue] { parts.filter { $0["type"]?.string == type } }
  package func part(_ type: String, _ label: String? = nil) throws -> JSONValue {
    try unwrap(parts(type).first { label == nil || $0["label"]?.string == label })
  }
  package var warnings: [String] { parts("warning").compactMap { $0["text"]?.string } }
  package func fact(_ label: String) -> String? { parts("fact").first { $0["label"]?.string == label }?["value"]?.string }
}
