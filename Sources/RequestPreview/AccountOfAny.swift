package import JSON
package import Nostr
package import RemoteSigning

extension RequestDescription {
  /// The description of any request, as in `request/show`, without any context. For the fuzzer.
  /// - Parameter before: the event that was signed before at the same coordinate.
  package static func ofAny(_ request: PendingRequest, before: EventTemplate?) -> JSONValue {
    let surroundings = Surroundings(pairing: nil, identityName: "main", scope: nil, before: before, batches: Batches([request]))
    return .object(RequestDescription(request, surroundings).whole)
  }
}
