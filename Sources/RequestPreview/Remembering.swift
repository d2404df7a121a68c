internal import Curve
internal import Nostr
package import RemoteSigning

/// What of an answer can be remembered, so that the same is not asked again.
package struct Remembering {
  /// As narrow as the request: one kind; for messages one counterparty, for logins one place.
  package let permission: Permission
  /// What is remembered, in words: "notes from this app".
  package let label: String
  /// How long an approval may hold, the shortest first. A refusal may hold for any time.
  package let offers: [Remembered]

  /// - Parameter scope: as the rules see the request.
  package init(_ request: PendingRequest, scope: PermissionScope?) {
    permission = Permission(request.method, kind: request.kind, scope: scope)
    label = Self.label(request, scope)
    offers = Self.offers(for: permission, of: request)
  }

  /// How long an approval may hold as a rule of that permission.
  package static func offers(for permission: Permission, of request: PendingRequest) -> [Remembered] {
    RequestFacts.isForOnce(request) ? [.once] : Grant.offers(for: permission, of: request.identity)
  }

  private static func label(_ request: PendingRequest, _ scope: PermissionScope?) -> String {
    switch scope {
    case .counterparty(let key):
      let party = key == request.identity ? "yourself" : String(key.npub.prefix(16)) + "…"
      return "\(plural(request)) with \(party)"
    case .relay(let url): return "logins to \(DescriptionPage.line(url))"
    case .file(let verb, let server):
      return "file server logins to \(verb)" + (server.map { " at \(DescriptionPage.line($0))" } ?? "")
    case .web(let method, let url): return "logins to \(DescriptionPage.line(url)) (\(method))"
    case nil: return "\(plural(request)) from this app"
    }
  }

  /// More than one request like this.
  static func plural(_ request: PendingRequest) -> String {
    switch request.method {
    case .signEvent: KindName(request.kind ?? 0).many
    case .nip04Encrypt, .nip44Encrypt: "encryptions"
    case .nip04Decrypt, .nip44Decrypt: "decryptions"
    default: "requests"
    }
  }
}
