package import Curve
import Encodings
package import Nostr
package import RemoteSigning

extension RequestHeading {
  /// The heading of a request, from what the title of its description is made of.
  ///
  /// - Parameters:
  ///   - template: the event to sign, where it was read before.
  ///   - receivedAt: when the request was made, in seconds since 1970.
  ///   - before: the last event of a kind that the identity signed here, if any.
  package init?(
    _ method: Method, _ parameters: [[UInt8]], _ template: EventTemplate? = nil, identity: PublicKey, receivedAt: Int64,
    before: (_ kind: Int) -> EventTemplate?
  ) {
    let found =
      method == .signEvent
      ? (template ?? parameters.first.flatMap { try? EventTemplate(parsing: $0) }).flatMap {
        Self.ofEvent($0, identity, receivedAt, before)
      }
      : Self.ofMessage(method, parameters, identity)
    guard let found else { return nil }
    self = found
  }

  /// What the owner has to look at closely comes before what is only called otherwise, such as a like.
  private static func ofEvent(
    _ template: EventTemplate, _ identity: PublicKey, _ receivedAt: Int64, _ before: (_ kind: Int) -> EventTemplate?
  ) -> RequestHeading? {
    if template.emptiesList { return .emptiedList }
    let own = ofKind(template, identity, before)
    if own == .payee || own == .fileDeletion { return own }
    if SigningTime.isAhead(template.createdAt, of: receivedAt) { return .datedAhead }
    return template.paysOthers(than: identity) ? .paysOthers : own
  }

  // Other kinds have none, and need no comparison with what was signed before.
  private static func ofKind(
    _ template: EventTemplate, _ identity: PublicKey, _ before: (_ kind: Int) -> EventTemplate?
  ) -> RequestHeading? {
    if template.kind == 7 { return ofReaction(template.content) }
    guard kinds.contains(template.kind) else { return nil }
    return EventDescription.heading(of: template, identity: identity, before: before(template.kind))
  }

  /// The kinds of events that may have one of their own, besides reactions.
  private static let kinds: Set = [
    EventKind.metadata, EventKind.follows, EventKind.relayLogin, EventKind.httpLogin, GuardedKinds.fileLogin,
  ]

  static func ofReaction(_ content: String) -> RequestHeading? {
    switch content {
    case "+", "": .like
    case "-": .dislike
    default: nil
    }
  }

  static func ofMessage(_ method: Method, _ parameters: [[UInt8]], _ identity: PublicKey) -> RequestHeading? {
    guard let peer = parameters.first, peer.count == 64, PublicKey(hex: String(decoding: peer, as: UTF8.self)) == identity else {
      return nil
    }
    return method.isDecryption ? .ofSelf : .forSelf
  }

  /// The title of a request with this heading. Nil for one that is called by its kind.
  package var words: String? {
    switch self {
    case .like: "Like a post"
    case .dislike: "Dislike a post"
    case .payee: "Change where payments to you go"
    case .forSelf: "Encrypt something for yourself"
    case .ofSelf: "Decrypt something of your own"
    case .unnamedSite: "Log in to an unnamed website"
    case .unnamedRelay: "Log in to an unnamed relay"
    case .fileDeletion: "Log in to a file server to delete files"
    case .sameProfile: "Sign your profile again, unchanged"
    case .sameFollows: "Sign your follow list again, unchanged"
    case .emptiedList: "Empty a list of yours"
    case .paysOthers, .datedAhead, .addedFollows, .keptProfile: nil
    }
  }
}

/// What a request is called: in lists, in the log and in notices.
package enum RequestTitle {
  /// The title without anything that the request says: lists may add where it logs in.
  /// - Returns: nil for a method that no owner is asked about.
  package static func words(_ method: Method, kind: Int?, _ heading: RequestHeading?) -> String? {
    if let words = heading?.words { return words }
    return switch method {
    case .signEvent: kind.map { KindTable.entry(for: $0).title } ?? unreadable
    case .getPublicKey: "Learn your public key"
    case .nip44Encrypt: "Encrypt a message"
    case .nip04Encrypt: "Encrypt a message (old method)"
    case .nip44Decrypt: "Decrypt a message"
    case .nip04Decrypt: "Decrypt a message (old method)"
    default: nil
    }
  }

  /// A title without the place that some name: “Log in to a website” of “Log in to a website: example.com”. For what is seen while the
  /// signer is locked, and for what is kept.
  package static func withoutPlace(_ title: String) -> String { String(title.prefix { $0 != ":" }) }

  static let unreadable = "Sign something unreadable"
}
