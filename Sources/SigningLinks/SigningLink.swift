import Encodings
import RemoteSigning

/// A link that asks for a signature, read and checked. Reading it does nothing.
///
/// - `keyfob://sign?payload=…&cb=…`, `keyfob://pubkey?cb=…`, and the same with `holdfast://`;
/// - `https://HOST/app/sign?…` and `https://HOST/app/pubkey?…` with the same parameters;
/// - `nostrsigner:…?type=…&callbackUrl=…`, the web form of NIP-55.
public struct SigningLink: Sendable {
  /// The most bytes of an event, decoded.
  public static let longestPayload = 16 << 10
  /// The most bytes of a nonce.
  public static let longestNonce = 256

  /// What is asked, or the fault that is the answer.
  public let request: Result<LinkRequest, LinkFault>
  /// Where the answer goes.
  public let callback: Callback
  private let form: AnswerForm

  enum AnswerForm: Hashable, Sendable {
    /// Parameters: `ok=1&id=…&sig=…&pubkey=…`, with the nonce of the link.
    case parameters(nonce: String?)
    /// The bare result at the end of the callback (NIP-55).
    case appended(wholeEvent: Bool, isGzip: Bool)
  }

  /// Reads a link.
  /// - Parameter isApp: whether an app on this machine takes links of a scheme, which is in lower case.
  /// - Throws: when there is nowhere to answer to.
  public init(_ text: String, isApp: (_ scheme: String) -> Bool = { _ in false }) throws(LinkFault) {
    let link = try LinkText(text)
    switch link.scheme {
    case "keyfob", "holdfast": self = try Self(link, action: Self.action(link.path), isApp)
    case "https", "http": self = try Self(link, action: Self.endpoint(link.path), isApp)
    case "nostrsigner": self = try Self(nostrSigner: link, isApp)
    default: throw .unknownScheme
    }
  }

  /// Reads an HTTP request for `/app/sign` or `/app/pubkey`. Its callback must be a web address: schemes of apps are refused.
  /// - Parameter query: the parts of the query, `name=value`, percent-decoded.
  /// - Throws: when there is nowhere to answer to.
  public init(endpoint path: String, query: [String]) throws(LinkFault) {
    self = try Self(LinkText(path: "//host" + path, query: query), action: Self.endpoint("//host" + path)) { _ in false }
  }

  private init(_ link: LinkText, action: String?, _ isApp: (String) -> Bool) throws(LinkFault) {
    guard let callback = try link.value("cb") else {
      throw action == nil && Self.isWeb(link.scheme) ? .unknownScheme : .noCallback("cb")
    }
    self.callback = try Callback(callback, isApp: isApp)
    let nonce = try? link.value("nonce")
    form = .parameters(nonce: nonce.flatMap { $0.utf8.count <= Self.longestNonce ? $0 : nil })
    let place = self.callback
    request = Result { () throws(LinkFault) in try Self.request(action, link, place, nonce) }
  }

  private init(nostrSigner link: LinkText, _ isApp: (String) -> Bool) throws(LinkFault) {
    guard let callback = try link.value("callbackUrl") else { throw .noCallback("callbackUrl") }
    self.callback = try Callback(callback, isApp: isApp)
    guard self.callback.hasPath else { throw .nowhereToAppend }
    form = .appended(
      wholeEvent: (try? link.value("returnType")) == "event", isGzip: (try? link.value("compressionType")) == "gzip")
    request = Result { () throws(LinkFault) in try NostrSignerLink.request(link) }
  }

  /// A web address without an endpoint of Holdfast and without a callback is no link for a signer.
  private static func isWeb(_ scheme: String) -> Bool { scheme == "https" || scheme == "http" }

  /// `//sign` or `//pubkey`, perhaps with a slash behind it.
  private static func action(_ path: String) -> String? {
    guard path.hasPrefix("//") else { return nil }
    let action = path.dropFirst(2)
    return (action.hasSuffix("/") ? action.dropLast() : action).lowercased()
  }

  private static func endpoint(_ path: String) -> String? {
    let parts = path.dropFirst(2).split(separator: "/", omittingEmptySubsequences: false)
    return path.hasPrefix("//") && parts.count == 3 && parts[1] == "app" ? String(parts[2]) : nil
  }

  private static func request(
    _ action: String?, _ link: LinkText, _ callback: Callback, _ nonce: String?
  ) throws(LinkFault) -> LinkRequest {
    if let nonce, nonce.utf8.count > longestNonce { throw .nonceMalformed }
    if let origin = try link.value("origin"), !callback.fits(origin) { throw .otherOrigin }
    switch action {
    case "pubkey": return .publicKey
    case "sign":
      guard let payload = try link.value("payload") else { throw .noPayload }
      guard payload.utf8.count <= (longestPayload * 4 + 2) / 3 else { throw .payloadTooLarge }
      guard let event = Base64URL.decode(payload) else { throw .payloadMalformed }
      return try .sign(json: event)
    default: throw .unknownAction
    }
  }

  /// The callback with an answer.
  /// - Returns: nil when the link's form has no way to say so: a fault of NIP-55.
  public func answered(_ answer: Result<LinkAnswer, LinkFault>) -> String? {
    switch (form, answer) {
    case (.parameters(let nonce), .success(let answer)): callback.adding([("ok", "1")] + answer.parameters + Self.part(nonce))
    case (.parameters(let nonce), .failure(let fault)):
      callback.adding([("ok", "0"), ("code", fault.code.rawValue), ("msg", fault.message)] + Self.part(nonce))
    case (.appended(let wholeEvent, let isGzip), .success(let answer)):
      callback.appending(answer.text(wholeEvent: wholeEvent, isGzip: isGzip))
    case (.appended, .failure): nil
    }
  }

  private static func part(_ nonce: String?) -> [(name: String, value: String)] { nonce.map { [("nonce", $0)] } ?? [] }
}
