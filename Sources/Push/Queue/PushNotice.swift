/// What a browser is told. No notice says anything about a request: who looks wants to sign in first.
public enum PushNotice: String, Sendable, Hashable, CaseIterable {
  /// Requests wait for the owner.
  case waiting
  /// Something is wrong, and all was shut.
  case incident
  /// The owner tries whether messages arrive.
  case test
}

/// What became of one message.
public enum PushOutcome: Sendable, Hashable {
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
  case failed(PushFault)
}

/// Why there was no answer that counts.
public enum PushFault: String, Error, Sendable, Hashable, CaseIterable {
  /// libcurl is not installed.
  case noLibrary = "libcurl is not installed"
  case unresolved = "its host has no address"
  case unreachable = "its host cannot be reached"
  case timedOut = "it did not answer in time"
  case broken = "the connection broke"
  case noTLS = "no secure connection could be made"
  case notTrusted = "its certificate is not valid for its name"
  case addressNotPublic = "its address is inside a private network"
  case answerTooLong = "its answer had no end"
  case internalFault = "the message could not be made"

  /// Whether the same may go well a little later.
  var mayPass: Bool {
    switch self {
    case .unresolved, .unreachable, .timedOut, .broken, .noTLS: true
    case .noLibrary, .notTrusted, .addressNotPublic, .answerTooLong, .internalFault: false
    }
  }
}
