import JSON
import RemoteSigning

/// For whom a program asks: the member `for` of a request. Only Holdfast's own program is believed, which the browser starts for its
/// extension and the desktop for links.
enum Behalf: Hashable, Sendable {
  /// `{"origin":"https://example.com","extension":"…"}`.
  case site(WebOrigin, extensionID: String)
  /// `{"callback":"https://example.com"}`, or an app's scheme: `{"callback":"myapp:"}`.
  case link(callback: String)

  /// The most bytes of an extension's id.
  static let longestID = 255

  init(_ value: JSONValue) throws(AppFault) {
    if let text = value["origin"]?.string {
      guard let origin = WebOrigin(text), let id = value["extension"]?.string, !id.isEmpty, id.utf8.count <= Self.longestID else {
        throw AppFault(.invalid, "A site has an origin, as “https://example.com”, and an extension.")
      }
      self = .site(origin, extensionID: id)
    } else if let text = value["callback"]?.string, CallingLink(user: 0, callback: text) != nil {
      self = .link(callback: text)
    } else {
      throw AppFault(.invalid, "\"for\" names a site's origin or a link's callback.")
    }
  }

  /// Who asks.
  /// - Parameter browser: the file of the program that started the one that says so.
  func caller(browser: String, user: UInt32) -> LocalCaller? {
    switch self {
    case .site(let origin, let id):
      .site(CallingSite(user: user, origin: origin, extensionID: id, browser: browser))
    case .link(let callback): CallingLink(user: user, callback: callback).map(LocalCaller.link)
    }
  }
}
