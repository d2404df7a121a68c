package import HTTPClient

/// One message that is ready to be posted to Apple.
package struct APNsMessage: Sendable {
  /// How Apple's service is reached.
  package struct Service: Sendable {
    /// `api.push.apple.com`, or with `sandbox` for apps in development. The port may be 443 or 2197.
    package var host = "api.push.apple.com:443"
    /// A PEM file of certificates to trust instead of the system's.
    package var certificates: String?
    /// The app's bundle identifier.
    package let topic: String
    /// How long a message may take, in milliseconds.
    package var totalMilliseconds = 10_000

    /// - Throws: `.notATopic`.
    package init(topic: String) throws(APNsError) {
      guard (1...255).contains(topic.utf8.count), topic.utf8.allSatisfy(Self.isOfATopic) else { throw .notATopic }
      self.topic = topic
    }

    private static func isOfATopic(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      case UInt8(ascii: "-"), UInt8(ascii: "."): true
      default: false
      }
    }
  }

  /// The longest answer that is read, in bytes: a reason and a time.
  private static let maximumAnswer = 4 << 10

  private let device: DeviceToken
  private let payload: [UInt8]
  private let expires: Int64
  private let collapseID: String?

  /// - Parameters:
  ///   - expires: until when Apple tries to deliver it, in seconds since 1970.
  ///   - collapseID: a later message of the same one replaces an undelivered one. At most 64 bytes.
  package init(to device: DeviceToken, payload: [UInt8], expires: Int64, collapseID: String? = nil) {
    (self.device, self.payload, self.expires) = (device, payload, expires)
    self.collapseID = collapseID.map { String($0.prefix(64)) }
  }

  /// The request that posts it.
  /// - Parameter authorization: from `ProviderToken`.
  package func request(_ service: Service, authorization: String) -> HTTPRequest {
    var request = HTTPRequest("POST", "https://\(service.host)/3/device/\(device.hex)", headers: headers(service, authorization))
    request.body = .bytes(payload)
    request.certificates = service.certificates
    request.limits.totalMilliseconds = service.totalMilliseconds
    request.limits.connectMilliseconds = service.totalMilliseconds
    request.limits.stallSeconds = 0
    request.limits.bodyBytes = Self.maximumAnswer
    return request
  }

  private func headers(_ service: Service, _ authorization: String) -> [String] {
    [
      "authorization: \(authorization)", "apns-topic: \(service.topic)", "apns-push-type: alert", "apns-priority: 10",
      "apns-expiration: \(expires)", "content-type: application/json",
    ] + (collapseID.map { ["apns-collapse-id: \($0)"] } ?? [])
  }
}
