import Encodings
import JSON
import WebPush

/// What a decrypted push says, as far as the listener reads it: `holdfast-wake` reads and checks the rest.
struct PushedRequest {
  /// The id of the request.
  let id: Bytes32
  /// The signer's key that it is for, as the push says; zero for none. Nobody has checked it.
  let signer: Bytes32
  /// The push as it came, JSON.
  let payload: [UInt8]

  /// - Parameter payload: from whoever knows the subscription.
  /// - Returns: nil if it names no request and no relay.
  init?(payload: [UInt8]) {
    let limits = JSONLimits(bytes: PushDecryption.maximumBody, values: 256)
    guard let value = try? JSONValue(parsing: payload, limits: limits), value["relay_url"]?.string != nil,
      let text = value["event_id"]?.string, let id = Bytes32(hex: text), id.hex == text
    else { return nil }
    (self.id, self.payload) = (id, payload)
    signer = value["signer_pubkey"]?.string.flatMap { Bytes32(hex: $0) } ?? Bytes32()
  }
}
