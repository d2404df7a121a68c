import APNs
import HTTPClient
import WebPush

extension WakeOutcome {
  /// What Apple said.
  init(apple result: Result<HTTPResponse, HTTPClientError>) {
    switch APNsOutcome(result) {
    case .delivered: self = .delivered
    case .gone(let since): self = .gone(since: since, isUnregistered: (try? result.get())?.status == 410)
    case .tokenExpired: self = .tokenExpired
    case .later(let status, let seconds): self = .later(status: status, seconds: seconds)
    case .refused(let status, let reason): self = .refused(status: status, reason: reason.text)
    case .failed(let error): self = .failed(error)
    }
  }

  /// What a Web Push or UnifiedPush service said.
  init(web result: Result<HTTPResponse, HTTPClientError>) {
    switch PushOutcome(result) {
    case .delivered: self = .delivered
    case .gone: self = .gone(since: nil, isUnregistered: true)
    case .later(let status, let seconds): self = .later(status: status, seconds: seconds)
    case .refused(let status): self = .refused(status: status, reason: nil)
    case .failed(let error): self = .failed(error)
    }
  }

  /// The outcome for the operator, without anything that a service wrote itself; nil for a success.
  package var failure: String? {
    switch self {
    case .delivered: nil
    case .gone(_, let isUnregistered): isUnregistered ? "the device is no longer registered" : "the device token is not valid"
    case .tokenExpired: "the provider token expired"
    case .later(let status, _): "the service answered \(status)"
    case .refused(let status, let reason): "the service answered \(status)" + (reason.map { " (\($0))" } ?? "")
    case .failed(let error): error.text
    case .tooLate: "it was not sent in time"
    case .tooOften: "the device was woken too often"
    case .noRoom: "too many messages wait"
    case .noService: "there is no access to this push service"
    case .notMade: "the message could not be made"
    }
  }
}
