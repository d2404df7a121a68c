public import Curve
import JSON

/// A `nostrconnect://<64 hex>?relay=…&secret=…` link: an app asks a signer to connect to it (NIP-46).
public struct NostrConnectURI: Hashable, Sendable {
  /// The most relays one link may name.
  public static let maximumRelays = 16
  /// The longest secret taken, in bytes.
  public static let maximumSecretLength = 256

  /// The app's own, disposable key.
  public let client: PublicKey
  /// 1 to 16 relays the app listens on.
  public let relays: [RelayURL]
  /// Sent back to the app, which must check it.
  public let secret: String
  /// The permissions that the app asks for. They are never granted by the link.
  public let permissions: [Permission]
  /// The app's description of itself. For display only.
  public let metadata: ClientMetadata

  /// - Parameter text: at most 4096 bytes, from a stranger. Reads today's `name`, `url`, `image`, `perms` and the older
  ///   `metadata=<JSON>`, percent-encoded or not. Empty and unknown parameters are ignored.
  /// - Throws: the first fault found. A case names the place and never carries the text.
  public init(parsing text: String) throws(NostrConnectURIError) {
    let link: LinkText
    do { link = try LinkText(parsing: text, scheme: "nostrconnect") } catch { throw NostrConnectURIError(error) }
    client = PublicKey(link.key)
    relays = try Self.relays(of: link)
    guard let secret = link.first("secret") else { throw .noSecret }
    guard secret.utf8.count <= Self.maximumSecretLength else { throw .secretTooLong(limit: Self.maximumSecretLength) }
    self.secret = secret
    let older = link.first("metadata").flatMap { try? JSONValue(parsing: Array($0.utf8)) }
    permissions = Permission.list((link.first("perms") ?? older?["perms"]?.string) ?? "")
    metadata = ClientMetadata(
      name: link.first("name", plusIsSpace: true) ?? older?["name"]?.string,
      url: link.first("url") ?? older?["url"]?.string,
      image: link.first("image") ?? older?["image"]?.string)
  }

  // Relays that cannot be used are left out: one good one is enough to answer on.
  private static func relays(of link: LinkText) throws(NostrConnectURIError) -> [RelayURL] {
    let texts = link.all("relay")
    guard !texts.isEmpty else { throw .noRelay }
    guard texts.count <= maximumRelays else { throw .tooManyRelays(limit: maximumRelays) }
    var relays: [RelayURL] = []
    for relay in texts.lazy.compactMap({ $0.flatMap(RelayURL.init) }) where !relays.contains(relay) { relays.append(relay) }
    guard !relays.isEmpty else { throw .relayNotWebSocket(index: 0) }
    return relays
  }
}

/// What is wrong with a `nostrconnect://` link.
public enum NostrConnectURIError: Error, Equatable, Sendable {
  case wrongScheme
  case clientKeyNotHex32
  /// Nobody has that key: its digits are no point of the curve.
  case clientKeyNotOnCurve
  case tooLong(limit: Int)
  case tooManyParameters(limit: Int)
  case noRelay
  case tooManyRelays(limit: Int)
  case relayNotWebSocket(index: Int)
  case noSecret
  case secretTooLong(limit: Int)

  init(_ fault: LinkText.Fault) {
    switch fault {
    case .tooLong: self = .tooLong(limit: LinkText.maximumLength)
    case .wrongScheme: self = .wrongScheme
    case .keyNotHex32: self = .clientKeyNotHex32
    case .keyNotOnCurve: self = .clientKeyNotOnCurve
    case .tooManyParameters: self = .tooManyParameters(limit: LinkText.maximumParameters)
    }
  }
}
