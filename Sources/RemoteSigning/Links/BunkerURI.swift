public import Curve

/// A `bunker://<64 hex>?relay=<ws URL>&secret=<token>` link, as NIP-46 writes it: a signer invites an app.
public struct BunkerURI: Hashable, Sendable {
  /// The most relays one link may name.
  public static let maximumRelays = 8
  /// The longest secret taken, in bytes.
  public static let maximumSecretLength = 128

  /// The key that requests are addressed to and answers are signed by. Not the user's key.
  public let remoteSigner: PublicKey
  /// 1 to 8 relays.
  public let relays: [RelayURL]
  /// For one successful connection. Nil when the link has none.
  public let secret: String?

  /// A link of our own making.
  public init(remoteSigner: PublicKey, relays: [RelayURL], secret: String?) {
    (self.remoteSigner, self.relays, self.secret) = (remoteSigner, relays, secret)
  }

  /// - Parameter text: at most 4096 bytes, possibly from a stranger. Scheme and hex in either case; unknown parameters are ignored.
  /// - Throws: the first fault found. A case names the place and never carries the text.
  public init(parsing text: String) throws(BunkerURIError) {
    let link: LinkText
    do { link = try LinkText(parsing: text, scheme: "bunker") } catch { throw BunkerURIError(error) }
    remoteSigner = PublicKey(link.key)
    relays = try Self.relays(of: link)
    secret = link.first("secret")
    if let secret, secret.utf8.count > Self.maximumSecretLength { throw .secretTooLong(limit: Self.maximumSecretLength) }
  }

  /// The link as text: lower-case hex, every value percent-encoded.
  public var text: String {
    var query = relays.map { "relay=" + LinkText.encoded($0.text) }
    if let secret { query.append("secret=" + LinkText.encoded(secret)) }
    return "bunker://\(remoteSigner.hex)?\(query.joined(separator: "&"))"
  }

  private static func relays(of link: LinkText) throws(BunkerURIError) -> [RelayURL] {
    let texts = link.all("relay")
    guard !texts.isEmpty else { throw .noRelay }
    guard texts.count <= maximumRelays else { throw .tooManyRelays(limit: maximumRelays) }
    var relays: [RelayURL] = []
    for (index, text) in texts.enumerated() {
      guard let text, let relay = RelayURL(text) else { throw .relayNotWebSocket(index: index) }
      if !relays.contains(relay) { relays.append(relay) }
    }
    return relays
  }
}

/// What is wrong with a `bunker://` link.
public enum BunkerURIError: Error, Equatable, Sendable {
  case wrongScheme
  case signerKeyNotHex32
  case tooLong(limit: Int)
  case tooManyParameters(limit: Int)
  case noRelay
  case tooManyRelays(limit: Int)
  case relayNotWebSocket(index: Int)
  case secretTooLong(limit: Int)

  init(_ fault: LinkText.Fault) {
    switch fault {
    case .tooLong: self = .tooLong(limit: LinkText.maximumLength)
    case .wrongScheme: self = .wrongScheme
    case .keyNotHex32, .keyNotOnCurve: self = .signerKeyNotHex32
    case .tooManyParameters: self = .tooManyParameters(limit: LinkText.maximumParameters)
    }
  }
}
