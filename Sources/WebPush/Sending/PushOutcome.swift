package import HTTPClient

/// What became of one message.
package enum PushOutcome: Sendable, Hashable {
  /// The push service took it.
  case delivered
  /// The subscription does not exist any more (404, 410).
  case gone
  /// The service said no and will say it again.
  case refused(status: Int)
  /// The service wants it later: 429 or 5xx.
  /// - seconds: what it asked for, 0 for nothing.
  case later(status: Int, seconds: Int64)
  /// There was no answer that counts.
  case failed(HTTPClientError)

  init(_ result: Result<HTTPResponse, HTTPClientError>) {
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
