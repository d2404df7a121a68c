/// The two answers to a request, in the words of questions and results.
enum AnswerVerb: String {
  case approve = "Approve"
  case deny = "Deny"

  /// As in “Approved: 2 requests.”
  var result: String { self == .approve ? "Approved" : "Denied" }

  /// As in “Nothing was approved.”
  var done: String { result.lowercased() }

  /// The end of every question about that answer.
  /// - Parameter count: how many requests it answers.
  func question(_ count: Int) -> String { "\(rawValue) \(count == 1 ? "it" : "all \(count)")?" }
}

/// Where an answer is typed.
enum AnswerPlace: Equatable {
  /// On a command line.
  case command
  /// Below requests that 'request watch' shows.
  /// - Parameters:
  ///   - number: the one that the request has there.
  ///   - read: what was said there of it, as `RequestText.explanation` says it; nil if what it says was hidden.
  case watched(number: Int, read: [String]?)
}
