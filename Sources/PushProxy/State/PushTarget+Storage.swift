import APNs
import WebPush

/// How a target stands in a row: `place` says which device it is, `keys` how to encrypt for it.
extension PushTarget {
  /// The Apple device token in hex, or the `https` address. The same device is the same place, also with other keys.
  var place: String {
    switch self {
    case .apple(let token): token.hex
    case .webPush(let receiver): receiver.endpoint.text
    case .unifiedPush(let endpoint): endpoint.text
    }
  }

  /// A browser's point (65 bytes) and secret (16 bytes); empty for the others.
  var keys: [UInt8] { if case .webPush(let receiver) = self { receiver.key + receiver.auth } else { [] } }

  /// - Returns: nil for a row that was not written so.
  init?(place: String, keys: [UInt8]) {
    do {
      guard place.hasPrefix("https://") else {
        guard keys.isEmpty else { return nil }
        self = .apple(try DeviceToken(parsing: place))
        return
      }
      let endpoint = try PushEndpoint(parsing: place)
      guard !keys.isEmpty else {
        self = .unifiedPush(endpoint)
        return
      }
      let split = max(0, keys.count - PushReceiver.authLength)
      self = .webPush(try PushReceiver(endpoint: endpoint, key: Array(keys[..<split]), auth: Array(keys[split...])))
    } catch { return nil }
  }
}
