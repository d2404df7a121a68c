import Curve
import Nostr
package import RemoteSigning

/// How closely the owner should look at a request before answering it.
package enum RequestRisk: Sendable, Equatable {
  /// An everyday use of the key.
  case usual
  /// Something that the rules of medium trust ask about, a login, or reading a message.
  case careful
  /// Something that costs money, removes or replaces what others rely on, speaks for the key itself, or is unknown; and every use
  /// of a key that asks for its owner. It is answered alone.
  case grave

  /// - Parameter needsPresence: whether the key is opened for one use only.
  package init(_ request: PendingRequest, needsPresence: Bool) {
    self = needsPresence ? .grave : request.method == .signEvent ? Self.signing(request) : Self.message(request)
  }

  /// Unreadable events, follow lists, events dated ahead and answers that hold once only are grave. Other lists, such as mute or relay
  /// lists, are not: a mistake there is easily undone.
  private static func signing(_ request: PendingRequest) -> RequestRisk {
    guard let kind = request.kind, let template = request.parameters.first.flatMap({ try? EventTemplate(parsing: $0) }),
      kind != EventKind.follows, !SigningTime.isAhead(template.createdAt, of: request.receivedAt),
      !RequestFacts.isForOnce(request)
    else { return .grave }
    switch KindTable.effect(of: kind) {
    case .money, .destruction, .profile, .keyHandling, .unknown: return .grave
    case .login: return .careful
    case .ordinary, .list: return KindTable.care(for: kind) == .usual ? .usual : .careful
    }
  }

  private static func message(_ request: PendingRequest) -> RequestRisk {
    if request.method == .getPublicKey { return .careful }
    return request.method.isDecryption ? (RequestFacts.readsOwn(request) ? .grave : .careful) : .usual
  }
}
