/// Why an event was not accepted. The owner sees counts of the reasons in `status`. Senders get no answer, except strangers at a
/// link and apps whose pairing has ended: they get an error (`Refusal`).
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

  /// Whether it was dropped because too many arrived.
  public var isTooMany: Bool { self == .overloaded || self == .rateLimited }
}
