package import HTTPClient
import JSON

/// What Apple said to one message ("Handling notification responses from APNs").
package enum APNsOutcome: Sendable, Hashable {
  /// Apple took it.
  case delivered
  /// The app is no longer on the device, or the token is another app's. `since` is when Apple knew, in milliseconds since 1970, if it says
  /// so: an app that registered later is there again.
  case gone(since: Int64?)
  /// The provider token is too old. A new one may pass.
  case tokenExpired
  /// A later attempt may pass. `seconds` is the delay that Apple asked for; 0 for none.
  case later(status: Int, seconds: Int64)
  /// Apple refused it, and would refuse it again: the key, the topic or the message is wrong.
  case refused(status: Int, reason: Reason)
  /// There was no valid response.
  case failed(HTTPClientError)

  /// Apple's word for it, one of those that its documents list; nil for any other text.
  package struct Reason: Sendable, Hashable {
    package let text: String?

    init(_ text: String?) { self.text = text.flatMap { Self.known.contains($0) ? $0 : nil } }

    private static let known: Set = [
      "BadCollapseId", "BadDeviceToken", "BadExpirationDate", "BadMessageId", "BadPriority", "BadTopic", "DeviceTokenNotForTopic",
      "DuplicateHeaders", "IdleTimeout", "InvalidPushType", "MissingDeviceToken", "MissingTopic", "PayloadEmpty",
      "TopicDisallowed",
      "BadCertificate", "BadCertificateEnvironment", "ExpiredProviderToken", "Forbidden", "InvalidProviderToken",
      "MissingProviderToken", "UnrelatedKeyIdInToken", "BadEnvironmentKeyIdInToken", "BadPath", "MethodNotAllowed",
      "ExpiredToken",
      "Unregistered", "PayloadTooLarge", "TooManyProviderTokenUpdates", "TooManyRequests", "InternalServerError",
      "ServiceUnavailable", "Shutdown",
    ]
  }

  package init(_ result: Result<HTTPResponse, HTTPClientError>) {
    switch result {
    case .failure(let error): self = .failed(error)
    case .success(let response): self.init(response)
    }
  }

  private init(_ response: HTTPResponse) {
    let body = try? JSONValue(parsing: response.body)
    let reason = Reason(body?["reason"]?.string)
    switch (response.status, reason.text) {
    case (200, _): self = .delivered
    case (410, _): self = .gone(since: body?["timestamp"]?.integer)
    case (400, "BadDeviceToken"), (400, "DeviceTokenNotForTopic"): self = .gone(since: nil)
    case (403, "ExpiredProviderToken"): self = .tokenExpired
    case (429, _), (500..<600, _): self = .later(status: response.status, seconds: response.retryAfter)
    default: self = .refused(status: response.status, reason: reason)
    }
  }
}
