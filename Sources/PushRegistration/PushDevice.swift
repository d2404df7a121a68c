package import APNs
import Encodings
import JSON
package import WebPush

/// Where a push proxy wakes this device. Whoever knows it can send to it, so it is not shown.
package enum PushDevice: Sendable, Hashable {
  case webPush(PushReceiver)
  /// An endpoint without keys: a wake says only that something waits.
  case unifiedPush(PushEndpoint)
  case apple(DeviceToken)

  /// The longest text of one, in bytes.
  package static let longestText = 8 << 10

  /// - Parameter text: a subscription as `PushSubscription.toJSON()` gives it, an `https` address, or hex digits; with white space around it.
  package init(parsing text: String) throws(PushRegistrationError) {
    guard text.utf8.count <= Self.longestText else { throw .deviceMalformed }
    let given = String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    do {
      if given.hasPrefix("{") {
        self = try Self.subscription(JSONValue(parsing: Array(given.utf8)))
      } else {
        self =
          given.hasPrefix("https://") ? .unifiedPush(try PushEndpoint(parsing: given)) : .apple(try DeviceToken(parsing: given))
      }
    } catch { throw .deviceMalformed }
  }

  /// - Parameter value: what `token` gave.
  init(_ value: JSONValue) throws(PushRegistrationError) {
    try self.init(parsing: value.string ?? String(decoding: value.serialized(), as: UTF8.self))
  }

  /// The member `token` of a request to the proxy.
  var token: JSONValue {
    switch self {
    case .apple(let token): .string(token.hex)
    case .unifiedPush(let endpoint): .string(endpoint.text)
    case .webPush(let receiver):
      [
        "endpoint": .string(receiver.endpoint.text),
        "keys": ["p256dh": .string(Base64URL.string(receiver.key)), "auth": .string(Base64URL.string(receiver.auth))],
      ]
    }
  }

  /// The host of its push service.
  package var host: String {
    switch self {
    case .apple: "push.apple.com"
    case .unifiedPush(let endpoint): endpoint.host
    case .webPush(let receiver): receiver.endpoint.host
    }
  }

  private static func subscription(_ value: JSONValue) throws -> PushDevice {
    guard let endpoint = value["endpoint"]?.string, let key = bytes(value["keys"]?["p256dh"]),
      let auth = bytes(value["keys"]?["auth"])
    else { throw PushRegistrationError.deviceMalformed }
    return .webPush(try PushReceiver(endpoint: PushEndpoint(parsing: endpoint), key: key, auth: auth))
  }

  private static func bytes(_ value: JSONValue?) -> [UInt8]? { value?.string.flatMap { Base64URL.decode(Array($0.utf8)) } }
}
