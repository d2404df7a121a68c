public import Curve
public import Encodings

/// Where and how one answer goes: the request's id as the app wrote it, and the envelope it used.
public struct ReplyAddress: Hashable, Sendable {
  /// The request's `id`, verbatim JSON.
  public let requestID: [UInt8]
  /// The envelope the answer must use, too. Nil for a program on this machine, which is answered without one.
  public let envelope: EnvelopeCipher?

  /// An address with its parts.
  public init(requestID: [UInt8], envelope: EnvelopeCipher?) { (self.requestID, self.envelope) = (requestID, envelope) }
}

/// How the content of a kind 24133 event is encrypted.
public enum EnvelopeCipher: UInt8, Sendable, CaseIterable {
  case nip44 = 44
  /// Older apps; answered in kind.
  case nip04 = 4
}

/// Whether a caller that was not let in can ask the owner.
public enum FirstUsePlace: Sendable, Equatable {
  case free
  /// This question of its own waits already.
  case taken(PendingRequest)
  /// Too many others wait.
  case full
}

/// A request that waits for the owner.
public struct PendingRequest: Hashable, Sendable {
  /// The most requests that wait for one app; more are refused. Those that are alike count as one.
  public static let maximumPerClient = 20
  /// The most requests of one app that count as one, because they are alike.
  public static let maximumAlike = 100
  /// The most requests that wait in all.
  public static let maximumHeld = 400
  /// While so many wait in all, no app may have more than `maximumPerClient` of them, however alike. The other places are for apps that have
  /// fewer, so that an app that floods takes none of theirs.
  public static let maximumHeldWithAlike = 200
  /// How many programs, sites and links that the owner has not let in yet may wait, each with one request. `maximumHeld` does not count them.
  public static let maximumFirstUses = 16
  /// How many of them may be sites and links, so that no web page keeps programs from asking.
  public static let maximumFirstUsesOfSites = 12
  /// How many of them may be links: any web page can open any number of links, each with another address for the answer.
  public static let maximumFirstUsesOfLinks = 4
  /// How many of them may belong to one `AskerGroup`.
  public static let maximumFirstUsesOfGroup = 3
  /// The most bytes of parameters that wait for one app: one large event, and small ones beside it.
  public static let maximumBytesPerClient = 4 << 20
  /// The most bytes of parameters that wait in all.
  public static let maximumBytesHeld = 16 << 20
  /// How long a request waits before it is dropped unanswered, in seconds: one day.
  public static let lifetime: Int64 = 86_400
  /// The most repetitions of one request that are answered together.
  public static let maximumReplies = 4

  /// Short name for the owner's commands: 8 hex digits that no other request had lately. Empty until the request waits.
  public internal(set) var name: String
  /// The pairing's own key.
  public let remoteSigner: PublicKey
  /// The app.
  public let client: PublicKey
  /// The identity to act with.
  public let identity: PublicKey
  /// The operation that the app asks for.
  public let method: Method
  /// The parameters as sent.
  public let parameters: [[UInt8]]
  /// The kind of the event to sign.
  public let kind: Int?
  /// Which rule put it here.
  public internal(set) var rule: Rule
  /// The request event's id.
  public let eventID: Bytes32
  /// Seconds since 1970.
  public let receivedAt: Int64
  /// How many requests of the same second came before it, as far as they still waited.
  public internal(set) var order: Int64 = 0
  /// The addresses that wait for the answer: one, or more if the app asked again.
  public var replies: [ReplyAddress]

  /// A waiting request with all its parts.
  public init(
    name: String = "", remoteSigner: PublicKey, client: PublicKey, identity: PublicKey, method: Method, parameters: [[UInt8]],
    kind: Int?, rule: Rule, eventID: Bytes32, receivedAt: Int64, replies: [ReplyAddress]
  ) {
    (self.name, self.remoteSigner, self.client, self.identity) = (name, remoteSigner, client, identity)
    (self.method, self.parameters, self.kind, self.rule) = (method, parameters, kind, rule)
    (self.eventID, self.receivedAt, self.replies) = (eventID, receivedAt, replies)
  }

  /// Whether a caller on this machine named an identity that the vault does not have, so that it gets an error even if it is let in. The
  /// parameters are then what it asked, after the name of the method.
  public var isInVain: Bool { method == .getPublicKey && parameters.count > 1 }

  /// The same, with its place behind others that wait.
  func behind(_ others: [PendingRequest]) -> PendingRequest {
    var request = self
    request.order = others.reduce(0) { $1.receivedAt == receivedAt ? max($0, $1.order &+ 1) : $0 }
    return request
  }

  /// Whether it came before another one.
  public func cameBefore(_ other: PendingRequest) -> Bool {
    (receivedAt, order, name) < (other.receivedAt, other.order, other.name)
  }

  /// Bytes of its parameters.
  var weight: Int { parameters.reduce(0) { $0 + $1.count } }

  /// Whether an app that asks again asks this: same pairing, method and parameters, whatever the request's id.
  func asksTheSame(as other: PendingRequest) -> Bool {
    remoteSigner == other.remoteSigner && method == other.method && parameters == other.parameters
  }
}
