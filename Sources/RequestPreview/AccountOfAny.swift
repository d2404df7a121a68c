package import Nostr
package import RemoteSigning

extension RequestDescription {
  /// The description of any request with nothing known around it. For the fuzzer.
  /// - Parameter before: what was signed before in the same place.
  package static func ofAny(_ request: PendingRequest, before: EventTemplate?) -> RequestDescription {
    RequestDescription(
      request, Surroundings(pairing: nil, identityName: "main", facts: nil, before: before, batches: Batches([request])))
  }
}
