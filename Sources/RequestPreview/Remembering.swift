import Curve
import Nostr
package import RemoteSigning

/// What can be remembered from an answer, so that the same question is not asked again.
package struct Remembering {
  /// As narrow as the request: one kind; one counterparty for messages, one place for logins.
  package let permission: Permission
  /// What is remembered, in words: "notes from this app".
  package let label: String
  /// How long an approval may hold, the shortest first. A refusal may hold for any time.
  package let offers: [Remembered]

  /// - Parameter scope: the request's scope for the rules.
  package init(_ request: PendingRequest, scope: PermissionScope?) {
    permission = Permission(request.method, kind: request.kind, scope: scope)
    label = Self.label(request, scope)
    offers = Self.offers(for: permission, of: request)
  }

  /// How long an approval may be valid as a rule for that permission.
  package static func offers(for permission: Permission, of request: PendingRequest) -> [Remembered] {
    RequestFacts.isForOnce(request) ? [.once] : Grant.offers(for: permission, of: request.identity)
  }

  private static func label(_ request: PendingRequest, _ scope: PermissionScope?) -> String {
    switch scope {
    case .counterparty(let key):
      let party = key == request.identity ? "yourself" : "\(key.npub.prefix(13))…\(key.npub.suffix(8))"
      return "\(plural(request)) with \(party)"
    case .relay(let url): return "logins to \(DescriptionPage.line(url))"
    case .file(let verb, let server):
      return "file server logins to \(verb)" + (server.map { " at \(DescriptionPage.line($0))" } ?? "")
    case .web(let method, let url): return "logins to \(DescriptionPage.line(url)) (\(method))"
    case nil: return "\(plural(request)) from this app"
    }
  }

  /// The plural for requests like this.
  static func plural(_ request: PendingRequest) -> String {
    switch request.method {
    case .signEvent: KindName(request.kind ?? 0).many
    case .nip04Encrypt, .nip44Encrypt: "encryptions"
    case .nip04Decrypt, .nip44Decrypt: "decryptions"
    default: "requests"
    }
  }
}
