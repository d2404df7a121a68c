package import Curve
import Encodings
package import Nostr
package import RemoteSigning

extension RequestHeading {
  /// The heading of a request, from what the title of its description is made of.
  ///
  /// Reads only requests that may have one, because each request that is carried out is asked about.
  /// - Parameter before: the last event of a kind that the identity signed here, if any.
  package init?(
    _ method: Method, _ parameters: [[UInt8]], kind: Int?, identity: PublicKey, before: (_ kind: Int) -> EventTemplate?
  ) {
    guard method == .signEvent else {
      guard let found = Self.ofMessage(method, parameters, identity) else { return nil }
      self = found
      return
    }
    guard let kind, Self.mayHaveOne(kind), let template = parameters.first.flatMap({ try? EventTemplate(parsing: $0) }) else {
      return nil
    }
    if template.emptiesList {
      self = .emptiedList
      return
    }
    // Other lists have none, and need no comparison with what was signed before.
    guard Self.kinds.contains(kind) else { return nil }
    let found =
      kind == 7
      ? Self.ofReaction(template.content)
      : EventDescription.heading(of: template, identity: identity, before: before(kind))
    guard let found else { return nil }
    self = found
  }

  private static func mayHaveOne(_ kind: Int) -> Bool { kinds.contains(kind) || KindTable.effect(of: kind) == .list }

  /// The kinds of events that have one, besides lists.
  private static let kinds: Set = [
    EventKind.metadata, EventKind.follows, 7, EventKind.relayLogin, EventKind.httpLogin, GuardedKinds.fileLogin,
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

  /// The title of a request with this heading.
  package var words: String {
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
    }
  }
}

/// What a request is called: in lists, in the log and in notices.
package enum RequestTitle {
  /// The title without anything that the request says: lists may add where it logs in.
  /// - Returns: nil for a method that no owner is asked about.
  package static func words(_ method: Method, kind: Int?, _ heading: RequestHeading?) -> String? {
    if let heading { return heading.words }
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
