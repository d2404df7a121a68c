public import Curve
import Nostr

/// What narrows a permission further than method and kind.
public enum PermissionScope: Hashable, Sendable {
  /// The other party of an encryption or decryption.
  case counterparty(PublicKey)
  /// The relay that a login (kind 22242) is for, in one way of writing.
  case relay(String)
  /// The address and method of a web login (kind 27235). An address that ends in `/*` stands for all below it.
  case web(method: String, url: String)
  /// What a login to a file server (kind 24242) is good for, and the server, a host without port; nil for all servers.
  case file(verb: String, server: String?)

  /// The longest method of HTTP taken, in bytes.
  static let maximumMethodLength = 16
  private static let wildcard = "/*"

  /// A relay as a scope. Nil when the text is no relay's address.
  public static func relay(named text: String) -> PermissionScope? { LoginAddress.relay(text).map { .relay($0) } }

  /// An address and method as a scope. Nil when one of them is none.
  public static func web(named method: String, _ url: String) -> PermissionScope? {
    let bytes = Array(method.utf8)
    guard !bytes.isEmpty, bytes.count <= maximumMethodLength,
      bytes.allSatisfy({ (0x41...0x5a).contains($0) || (0x61...0x7a).contains($0) }), let url = LoginAddress.web(url)
    else { return nil }
    return .web(method: String(decoding: bytes.map { $0 & 0xdf }, as: UTF8.self), url: url)
  }

  /// Whether a permission of this scope reaches a request with that one.
  func covers(_ other: PermissionScope?) -> Bool {
    guard let other else { return false }
    if case .file(let verb, nil) = self, case .file(verb, _) = other { return true }
    guard case .web(let method, let url) = self, url.hasSuffix(Self.wildcard), case .web(let asked, let address) = other else {
      return self == other
    }
    let folder = url.utf8.dropLast(1)
    // The address must not lead up and out of the folder, neither plainly nor percent-encoded.
    return method == asked && address.utf8.starts(with: folder) && !Self.climbs(address.utf8.dropFirst(folder.count))
  }

  /// Whether a denial of this place also denies that place. Hosts count without their ports, and a host without a path is all of
  /// it. A file login that is not limited to one server is valid at each.
  func isPlace(of asked: PermissionScope) -> Bool {
    switch (self, asked) {
    case (.relay(let denied), .relay(let url)): return LoginAddress.hostName(denied) == LoginAddress.hostName(url)
    case (.web(_, let denied), .web(_, let url)):
      return LoginAddress.isHostAlone(denied) && LoginAddress.hostName(denied) == LoginAddress.hostName(url)
    case (.file(let verb, let denied?), .file(let asked, let server)): return verb == asked && (server == nil || server == denied)
    default: return false
    }
  }

  /// Whether it stands for all addresses below one. The owner may say so; an app that names such an address means no place at all.
  var isFolder: Bool {
    guard case .web(_, let url) = self else { return false }
    return url.hasSuffix(Self.wildcard)
  }

  private static func climbs(_ rest: some Collection<UInt8>) -> Bool {
    let path = rest.prefix { $0 != UInt8(ascii: "?") }
    let dots = path.split(separator: UInt8(ascii: "/")).contains { $0.starts(with: "..".utf8) || $0.elementsEqual(".".utf8) }
    return dots || path.contains { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: ";") }
  }

  /// The longer, the more specific.
  var weight: Int {
    switch self {
    case .counterparty, .relay: 1
    case .web(_, let url): url.hasSuffix(Self.wildcard) ? url.utf8.count : LoginAddress.maximumLength + 1
    case .file(_, let server): server == nil ? 1 : 2
    }
  }

  /// As it stands behind the `@` of a permission.
  var text: String {
    switch self {
    case .counterparty(let key): key.hex
    case .relay(let url): url
    case .web(let method, let url): "\(method) \(url)"
    case .file(let verb, let server): server.map { "\(verb) \($0)" } ?? verb
    }
  }

  /// A person's key: `npub1…`, `nprofile1…`, each perhaps behind `nostr:` (NIP-21), or 64 hex digits.
  private static func person(_ text: String) -> PublicKey? {
    if let key = PublicKey(hex: text) { return key }
    switch try? NIP19(parsing: text.hasPrefix("nostr:") ? String(text.dropFirst(6)) : text) {
    case .publicKey(let key)?, .profile(let key, _)?: return key
    default: return nil
    }
  }

  /// Reads the text after the `@` in the form that the method and kind require. Nil for any other.
  init?(_ text: Substring, for method: Method, kind: Int?) {
    switch (method, kind) {
    case (.nip04Encrypt, nil), (.nip04Decrypt, nil), (.nip44Encrypt, nil), (.nip44Decrypt, nil):
      guard let key = Self.person(String(text)) else { return nil }
      self = .counterparty(key)
    case (.signEvent, GuardedKinds.relayLogin):
      guard let scope = Self.relay(named: String(text)) else { return nil }
      self = scope
    case (.signEvent, GuardedKinds.webLogin):
      let parts = text.split(separator: " ", maxSplits: 1)
      guard parts.count == 2, let scope = Self.web(named: String(parts[0]), String(parts[1])) else { return nil }
      self = scope
    case (.signEvent, GuardedKinds.fileLogin):
      let parts = text.split(separator: " ", maxSplits: 1)
      guard let verb = parts.first.flatMap({ FileLogin.verb($0) }) else { return nil }
      let server = parts.count > 1 ? LoginAddress.server(String(parts[1])) : nil
      guard parts.count == 1 || server != nil else { return nil }
      self = .file(verb: verb, server: server)
    default: return nil
    }
  }
}
