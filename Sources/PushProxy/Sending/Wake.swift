package import APNs
package import Curve
package import Encodings
package import HTTPClient
import JSON
import Nostr
import WebPush

/// One push that wakes one device for one request.
package struct Wake: Sendable {
  /// How long a wake is of use, in seconds: apps wait about a minute for an answer.
  package static let usefulSeconds: Int64 = 60
  /// The length in bytes to which a Web Push message is padded, so that it tells nothing of what it contains.
  static let paddedLength = PushEncryption.maximumLength
  /// The most texts in the tags of a request that is enclosed in a Web Push message. Apps write two.
  static let mostEnclosedTexts = 64

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
    case .webPush: content = Self.message(for: request)
    case .unifiedPush: content = []
    }
  }

  /// Where the request is, and the request itself if all of it fits: a relay need not store what it passes on.
  private static func message(for request: WakeRequest) -> [UInt8] {
    if let event = request.event, isShort(event) {
      let whole = message(for: request, enclosing: event.json())
      if whole.count <= paddedLength { return whole }
    }
    return message(for: request, enclosing: nil)
  }

  private static func isShort(_ event: Event) -> Bool {
    event.content.utf8.count <= paddedLength && event.tags.reduce(0, { $0 + 1 + $1.count }) <= mostEnclosedTexts
  }

  private static func message(for request: WakeRequest, enclosing event: [UInt8]?) -> [UInt8] {
    let payload = WakePayload(relay: request.relay, id: request.id, event: request.event, signer: request.signer)
    var writer = JSONWriter(reserving: paddedLength)
    writer.beginObject()
    payload.writeMembers(enclosing: event, to: &writer)
    writer.endObject()
    return writer.bytes
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
