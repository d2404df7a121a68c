import Encodings
package import HTTPClient

/// One message that is ready to be posted.
package struct PushMessage: Sendable {
  private let endpoint: PushEndpoint
  private let headers: [String]
  private let body: [UInt8]

  /// - Parameters:
  ///   - body: content encoding `aes128gcm`, from `PushEncryption`.
  ///   - authorization: from `VAPIDKey`.
  ///   - topic: up to 32 digits of base64url. It replaces an undelivered message of the same topic. Nil for none.
  ///   - lifetime: how long the push service may store it, in seconds.
  package init(endpoint: PushEndpoint, body: [UInt8], authorization: String, topic: String?, lifetime: Int) {
    (self.endpoint, self.body) = (endpoint, body)
    headers =
      [
        "Authorization: \(authorization)", "Content-Encoding: aes128gcm", "Content-Type: application/octet-stream",
        "TTL: \(lifetime)", "Urgency: high",
      ] + (topic.map { ["Topic: \($0)"] } ?? [])
  }

  /// A message without any content, for an endpoint without keys: whoever carries it learns only that it was sent.
  /// - Parameter lifetime: how long the push service may store it, in seconds.
  package init(withoutContentTo endpoint: PushEndpoint, lifetime: Int) {
    (self.endpoint, body) = (endpoint, [])
    headers = ["TTL: \(lifetime)", "Urgency: high"]
  }

  /// The longest response body that is accepted, in bytes. It is not used.
  private static let maximumAnswer = 8 << 10
  /// The most bytes of headers.
  private static let maximumHeaders = 32 << 10

  /// The request that posts it.
  package func request(_ options: PushSender.Options) -> HTTPRequest {
    var request = HTTPRequest("POST", endpoint.text, headers: headers)
    request.body = .bytes(body)
    request.certificates = options.certificates
    request.limits.connectMilliseconds = options.connectMilliseconds
    request.limits.totalMilliseconds = options.totalMilliseconds
    request.limits.stallSeconds = 0
    request.limits.headerBytes = Self.maximumHeaders
    request.limits.bodyBytes = Self.maximumAnswer
    request.limits.bufferBytes = 16 << 10
    if !options.allowsPrivateAddresses {
      request.mayConnect = { [endpoint] in endpoint.port == 443 && PublicAddress.isPublic($0) && !options.isOwn($0) }
    }
    return request
  }
}
