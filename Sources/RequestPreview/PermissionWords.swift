package import Curve
import Nostr
package import RemoteSigning

/// A permission of an app in words: the same below a request, in questions and after them.
package struct PermissionWords {
  /// What it covers: “notes from this app”.
  package let label: String
  /// - Parameter identity: whose key the app may use; nil if it is not known.
  package init(_ permission: Permission, of identity: PublicKey?) { label = Self.label(permission, identity) }

  private static func label(_ permission: Permission, _ identity: PublicKey?) -> String {
    switch permission.scope {
    case .counterparty(let key):
      let party = key == identity ? "yourself" : "\(key.npub.prefix(13))…\(key.npub.suffix(8))"
      return "\(plural(permission.method, permission.kind)) with \(party)"
    case .relay(let url): return "logins to \(DescriptionPage.line(url))"
    case .file(let verb, let server):
      return "file server logins to \(verb)" + (server.map { " at \(DescriptionPage.line($0))" } ?? "")
    case .web(let method, let url): return "logins to \(DescriptionPage.line(url)) (\(method))"
    case nil:
      return "\(plural(permission.method, permission.kind)) from this app"
    }
  }

  /// The plural for requests with this method and kind.
  static func plural(_ method: Method, _ kind: Int?) -> String {
    switch method {
    case .signEvent: kind.map { KindName($0).many } ?? "everyday events"
    case .nip04Encrypt, .nip44Encrypt: "encryptions"
    case .nip04Decrypt, .nip44Decrypt: "decryptions"
    default: "requests"
    }
  }
}
