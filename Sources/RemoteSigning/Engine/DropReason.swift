/// Why an event got no answer. The sender learns nothing; the owner can see it in the counts of `status`.
public enum DropReason: String, Sendable, CaseIterable {
  case wrongKind = "not kind 24133"
  case notAddressed = "not addressed to exactly one key"
  case notOurs = "not for one of our keys"
  case rateLimited = "too many requests from this author"
  case badSignature = "wrong id or signature"
  case alreadySeen = "seen before"
  case stale = "too old or from the future"
  case undecryptable = "cannot be decrypted"
  case notARequest = "not a request"
  case notPaired = "the sender is not paired"
  case linkSpent = "the link was used by an app before"
  case overloaded = "too many requests to remember"
}
