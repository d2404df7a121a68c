package import HTTPClient

/// The result of sending one message.
package enum PushOutcome: Sendable, Hashable {
  /// The push service accepted it.
  case delivered
  /// The subscription no longer exists (404, 410).
  case gone
  /// The service refused, and would refuse again.
  case refused(status: Int)
  /// The service asks for a later attempt: 429 or 5xx.
  /// - seconds: the delay it asked for; 0 for none.
  case later(status: Int, seconds: Int64)
  /// There was no valid response.
  case failed(HTTPClientError)

  /// What the push service said to one request.
  package init(_ result: Result<HTTPResponse, HTTPClientError>) {
    switch result {
    case .failure(let error): self = .failed(error)
    case .success(let response):
      switch response.status {
      case 200..<300: self = .delivered
      case 404, 410: self = .gone
      case 429, 500..<600: self = .later(status: response.status, seconds: response.retryAfter)
      default: self = .refused(status: response.status)
      }
    }
  }
}
