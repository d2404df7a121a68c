import Curve
import Encodings
package import JSON

extension EventTemplate {
  /// The template as a JSON object. The time and the author are left out if they are not set.
  package var json: JSONValue {
    .object(
      [
        .init("kind", .integer(Int64(kind))), .init("content", .string(content)),
        .init("tags", .array(tags.map { .array($0.map { .string($0) }) })),
      ] + (createdAt.map { [.init("created_at", .integer($0))] } ?? [])
        + (pubkey.map { [.init("pubkey", .string($0.hex))] } ?? []))
  }
}
