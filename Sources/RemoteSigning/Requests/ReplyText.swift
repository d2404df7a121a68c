import Curve
import JSON

/// What an app reads when a request cannot be done. One line, no secret, nothing of the owner's rules.
enum ReplyText {
  /// The longest part of a stranger's method name that is said back.
  private static let maximumEcho = 32

  static let notPermitted = "not permitted"
  static let userRejected = "user rejected"
  static let retired = "this key is retired and signs nothing any more; ask its owner for the new one"
  static let locked = "the signer is locked"
  static let justStarted = "the signer has just started and is locked: ask again in a few minutes, or when it is unlocked"
  static let unanswered = "the signer's owner did not answer in time; ask again"
  static let connectFirst = "connect first: this link is not used yet"
  static let linkUsed = "this link was used by another app: ask for a new one"
  static let linkWithdrawn = "this link is no longer good: ask for a new one"
  static let pairingEnded = "no longer paired: connect again with a new link"
  static let notARequest = "this is no request: {id, method, params} as JSON, each once"
  static let linkExpired = "this link has expired; make a new one in the signer"
  static let tooMany = "too many requests: the signer takes no more for now; ask again in a moment"
  static let limitUsedUp = "this app has asked as often as it may for now; ask again later"
  static let shareUsedUp = "this app has used up its share of the signer's record for today"
  static let queueFull = "too many requests are waiting for the signer's owner"
  static let notAnEvent = "sign_event needs an event as JSON text: {kind, content, tags, created_at}"
  static let notAKey = "the first parameter must be the other party's public key, 64 hex digits"
  static let missingText = "the second parameter must be the text"
  static let emptyText = "the text is empty"
  static let tooLong = "the text is too long"
  static let undecryptable = "cannot decrypt: altered, or meant for another key"
  static let emptyPlaintext = "the decrypted text is empty"
  static let notText = "the decrypted bytes are not text"
  static let signersEnvelope = "this message is the signer's own, and not for apps"
  static let notStored = "the signer could not record the request; try again"
  static let membersMissing = "too few of the devices that hold this key together answered in time; ask again"
  static let failed = "the signer could not do this"

  /// What a refusal by the rules says.
  static func refusal(by rule: Rule) -> String {
    switch rule {
    case .ownerRefused: userRejected
    case .identityRetired: retired
    case .signersEnvelope: signersEnvelope
    default: notPermitted
    }
  }

  static func unsupported(_ method: String) -> String {
    let shown = method.utf8.prefix(maximumEcho).filter {
      ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7a || $0 == 0x5f || $0 >= 0x30 && $0 <= 0x39
    }
    return "unsupported method: " + String(decoding: shown, as: UTF8.self)
  }

  static func parameters(of method: Method) -> String {
    "\(method.rawValue) needs \(method.requiredParameters) parameter\(method.requiredParameters == 1 ? "" : "s"), each a string"
  }

  static func taken(kind: Int) -> String {
    "another event of kind \(kind) with this created_at, or later ones, was signed; send it again with a later created_at"
  }

  static let forgotten = "the signer restarted and cannot tell whether this was answered; ask again if you still want it"

  static let tooManyAhead =
    "too many events dated later than now were signed; send it again with the present time as created_at, or later"

  static func wrongSecret(isMissing: Bool) -> String { isMissing ? "the secret is missing" : "invalid secret" }

  static func otherKey(_ key: PublicKey, ours: PublicKey) -> String {
    "the event names the key \(key.hex), but this signer signs for \(ours.hex)"
  }

  static func clock(off seconds: Int64) -> String {
    let direction = seconds < 0 ? "old" : "in the future"
    return "the request is \(seconds.magnitude) seconds \(direction) by the signer's clock; check the clocks"
  }

  static let methodNames = String(
    decoding: JSONValue.array(Method.allCases.map { .string($0.rawValue) }).serialized(), as: UTF8.self)

  static func relayMap(_ relays: [RelayURL]) -> String {
    let use = JSONValue.object([.init("read", .bool(true)), .init("write", .bool(true))])
    return String(decoding: JSONValue.object(relays.map { .init($0.text, use) }).serialized(), as: UTF8.self)
  }
}
