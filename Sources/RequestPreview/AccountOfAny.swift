package import JSON
package import Nostr
package import RemoteSigning

extension RequestDescription {
  /// The account of any request, as `request/show` tells it, with nothing known around it. For the fuzzer.
  /// - Parameter before: what was signed before in the same place.
  package static func ofAny(_ request: PendingRequest, before: EventTemplate?) -> JSONValue {
    let surroundings = Surroundings(pairing: nil, identityName: "main", scope: nil, before: before, batches: Batches([request]))
    return .object(RequestDescription(request, surroundings).whole)
  }
}
