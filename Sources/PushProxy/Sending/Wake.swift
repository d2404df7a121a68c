package import APNs
package import Curve
package import Encodings
package import HTTPClient
import JSON

/// One push that wakes one device for one request.
package struct Wake: Sendable {
  /// How long a wake is of use, in seconds: apps wait about a minute for an answer.
  package static let usefulSeconds: Int64 = 60
  /// The length in bytes to which a Web Push message is padded, so that it tells little of the relay's address.
  static let paddedLength = 512

  /// The device.
  package let target: PushTarget
  /// Whom the request is for.
  package let signer: PublicKey
  /// The request's id.
  package let request: Bytes32
  /// Until when it is of use, in seconds since 1970.
  package let expires: Int64
  /// What the device is told, before encryption. Empty for an endpoint without keys.
  let content: [UInt8]

  /// - Throws: `.tooLong`, for a relay address of some thousand bytes.
  package init(_ request: WakeRequest, to target: PushTarget) throws(APNsError) {
    (self.target, signer, self.request, expires) = (target, request.signer, request.id, request.expires)
    switch target {
    case .apple:
      content = try WakePayload(relay: request.relay, id: request.id, event: request.event, signer: request.signer).bytes()
    case .webPush: content = Self.place(of: request)
    case .unifiedPush: content = []
    }
  }

  private static func place(of request: WakeRequest) -> [UInt8] {
    JSONValue.object([
      .init("relay_url", .string(request.relay)), .init("event_id", .string(request.id.hex)),
      .init("signer_pubkey", .string(request.signer.hex)),
    ]).serialized()
  }
}

/// What became of a wake.
package enum WakeOutcome: Sendable, Hashable {
  /// The push service took it.
  case delivered
  /// The device is no longer there. `since` is when the service knew, in milliseconds since 1970, if it says so: a device that registered later
  /// is there again. `isUnregistered` is false for an address that never was one of the app's.
  case gone(since: Int64?, isUnregistered: Bool)
  /// The service refused the provider token as too old.
  case tokenExpired
  /// The service asked for a later attempt. `seconds` is the delay that it asked for; 0 for none.
  case later(status: Int, seconds: Int64)
  /// The service refused it, and would refuse it again. `reason` is Apple's word for it.
  case refused(status: Int, reason: String?)
  /// There was no valid response.
  case failed(HTTPClientError)
  /// It was not sent within the time in which it is of use.
  case tooLate
  /// The device was woken too often.
  case tooOften
  /// Too many wakes wait.
  case noRoom
  /// The proxy has no access to this kind of device.
  case noService
  /// It could not be encrypted or signed.
  case notMade
}
