/// Why the relay refuses an event or a subscription: a prefix of NIP-01 or NIP-42, and a sentence for people.
enum RelayRefusal: String, Sendable {
  case wrongKind = "blocked: this relay is for remote signing; it takes kind 24133 only"
  case noRecipient = "invalid: the event names no recipient in a p tag"
  case tooManyTags = "invalid: the event has too many tags"
  case wrongTime = "invalid: created_at is too far from the relay's clock; check yours"
  case wrongID = "invalid: the id is not the hash of the event"
  case badSignature = "invalid: the signature does not verify"
  case tooFast = "rate-limited: slow down"
  case authorTooFast = "rate-limited: too many events by this author"
  case busy = "rate-limited: the signer is busy"
  case stopping = "error: the signer is stopping"
  case loginNeeded = "auth-required: log in first (NIP-42)"
  case notWelcome = "restricted: this key is not welcome here"
  case badLogin = "invalid: the login does not answer this connection's challenge"
  case noLogin = "restricted: this relay asks nobody to log in"
  case tooManySubscriptions = "restricted: too many subscriptions on this connection"
  case noRecipients = "restricted: name the recipients in #p"
  case tooManyOpenSubscriptions = "restricted: too many subscriptions without recipients in #p"
  case tooManyValues = "restricted: too many values in the filters of all subscriptions"
  case malformed = "invalid: this is no message of NIP-01, or it is above a limit"

  static let duplicate = "duplicate: this event is here already"
}
