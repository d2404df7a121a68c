/// Why an event was not taken. The owner can see it in the counts of `status`. The sender learns nothing, except where it waits for
/// an answer: strangers at a link, and apps whose pairing ended, get an error (`Refusal`).
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
  case connectRefused = "the link's secret was wrong, or the link has expired"
  case pairingEnded = "the pairing has ended"
  case overloaded = "too many requests to remember"
  case justStarted = "the signer started locked a moment ago"

  /// Whether more came than is taken.
  public var isTooMany: Bool { self == .overloaded || self == .rateLimited }
}
