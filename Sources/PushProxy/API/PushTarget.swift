package import APNs
import Encodings
import JSON
package import WebPush

/// Where a device is woken.
package enum PushTarget: Sendable, Hashable {
  /// An app on an Apple device.
  case apple(DeviceToken)
  /// A browser, or an app behind a UnifiedPush distributor that has keys (RFC 8291).
  case webPush(PushReceiver)
  /// A UnifiedPush endpoint without keys: what is sent there can be read on the way, so it is only where to look.
  case unifiedPush(PushEndpoint)

  /// - Parameter value: the member `token` of a request: hex for Apple, the browser's subscription as `PushSubscription.toJSON()` gives
  ///   it, or an `https` address. From a stranger.
  init(_ value: JSONValue?) throws(ProxyRefusal) {
    let refusal = ProxyRefusal(
      400, .invalidBody, "“token” must be an Apple device token in hex, a Web Push subscription, or a UnifiedPush address.")
    do {
      if let text = value?.string {
        self = text.hasPrefix("https://") ? .unifiedPush(try PushEndpoint(parsing: text)) : .apple(try DeviceToken(parsing: text))
      } else {
        guard let value, let endpoint = value["endpoint"]?.string, let key = Self.bytes(value["keys"]?["p256dh"]),
          let auth = Self.bytes(value["keys"]?["auth"])
        else { throw refusal }
        self = .webPush(try PushReceiver(endpoint: PushEndpoint(parsing: endpoint), key: key, auth: auth))
      }
    } catch { throw refusal }
  }

  /// Where messages are posted; nil for Apple's service.
  var endpoint: PushEndpoint? {
    switch self {
    case .apple: nil
    case .webPush(let receiver): receiver.endpoint
    case .unifiedPush(let endpoint): endpoint
    }
  }

  private static func bytes(_ value: JSONValue?) -> [UInt8]? { value?.string.flatMap { Base64URL.decode(Array($0.utf8)) } }
}
