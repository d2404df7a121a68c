import Encodings
import RemoteSigning

/// Where the answer to a link goes, checked.
public struct Callback: Hashable, Sendable {
  /// The most bytes of a callback.
  public static let longest = 2_048

  /// The whole address: ASCII without spaces.
  public let text: String
  /// Who gets the answer: a `WebOrigin` such as `https://example.com`, or an app's scheme such as `myapp:`.
  public let place: String

  /// Checks a callback: `https` anywhere, `http` on this machine, and schemes of apps.
  /// - Parameter isApp: whether an app takes links of a scheme, which is in lower case.
  public init(_ text: String, isApp: (_ scheme: String) -> Bool) throws(LinkFault) {
    guard text.utf8.count <= Self.longest else { throw .callbackTooLong }
    guard text.utf8.allSatisfy(Self.isPlain), PercentCoding.isWhole(text), let colon = text.firstIndex(of: ":") else {
      throw .callbackMalformed
    }
    let (scheme, rest) = (text[..<colon].lowercased(), text[text.index(after: colon)...])
    self.text = text
    switch scheme {
    case "https", "http": place = try Self.origin(scheme, rest)
    default:
      guard CallingLink(user: 0, callback: scheme + ":") != nil else { throw .callbackMalformed }
      guard !Self.refused.contains(scheme), !Self.isOfBrowser(scheme) else { throw .callbackRefused(scheme) }
      guard !Self.namesUser(rest) else { throw .callbackMalformed }
      guard isApp(scheme) else { throw .notRegistered(scheme) }
      place = scheme + ":"
    }
  }

  /// The host, without a port. Nil for an app's scheme.
  public var host: String? { WebOrigin(place)?.host }

  /// Whether what a link says of its origin fits. It proves nothing, but a wrong one is a fault. An app's scheme has no origin.
  func fits(_ origin: String) -> Bool {
    guard let host else { return true }
    let said = origin.lowercased()
    return said == place || said == place + "/" || said == host
  }

  /// Whether a text right behind it belongs to the path or what follows, and not to the host.
  var hasPath: Bool { host == nil || text.drop { $0 != ":" }.dropFirst(3).contains { $0 == "/" || $0 == "?" || $0 == "#" } }

  /// The address with further parameters: behind those that it has, before a fragment.
  func adding(_ parameters: [(name: String, value: String)]) -> String {
    let fragment = text.firstIndex(of: "#") ?? text.endIndex
    let (address, end) = (text[..<fragment], text[fragment...])
    let joint = !address.contains("?") ? "?" : address.hasSuffix("?") || address.hasSuffix("&") ? "" : "&"
    let query = parameters.map { "\($0.name)=\(PercentCoding.encoded($0.value))" }.joined(separator: "&")
    return address + joint + query + end
  }

  /// The address with a text right behind it, as NIP-55 has it: `https://example.com/?event=` becomes `…?event=TEXT`.
  func appending(_ text: String) -> String { self.text + PercentCoding.encoded(text) }

  private static func origin(_ scheme: String, _ rest: Substring) throws(LinkFault) -> String {
    guard rest.hasPrefix("//") else { throw .callbackMalformed }
    let host = rest.dropFirst(2).prefix { $0 != "/" && $0 != "?" && $0 != "#" }.lowercased()
    let ownPort = scheme == "https" ? ":443" : ":80"
    let plain = host.hasSuffix(ownPort) ? String(host.dropLast(ownPort.count)) : host
    guard let origin = WebOrigin("\(scheme)://\(plain)"), isAsBrowsersReadIt(origin.host) else { throw .callbackMalformed }
    guard origin.isEncrypted || origin.isOnThisMachine else { throw .callbackInClear }
    return origin.text
  }

  /// Browsers take a host whose last part is a number for an IPv4 address, also `2130706433` and `0x7f.1`. Only the form
  /// of four decimal numbers is taken, so that the same host is never written in two ways.
  private static func isAsBrowsersReadIt(_ host: String) -> Bool {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    guard let last = parts.last, !host.hasPrefix("["), last.hasPrefix("0x") || last.allSatisfy(\.isNumber) else { return true }
    return parts.count == 4 && parts.allSatisfy { part in UInt8(part).map { String($0) == part } ?? false }
  }

  /// Whether a user or a password stands before the host, which hides where the address leads.
  private static func namesUser(_ rest: Substring) -> Bool {
    rest.hasPrefix("//") && rest.dropFirst(2).prefix { $0 != "/" && $0 != "?" && $0 != "#" }.contains("@")
  }

  /// ASCII without spaces, quotes, brackets and backslashes, which programs read in different ways.
  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x21...0x7E).contains(byte) && ![0x22, 0x3C, 0x3E, 0x5C, 0x5E, 0x60, 0x7B, 0x7C, 0x7D].contains(byte)
  }

  private static func isOfBrowser(_ scheme: String) -> Bool {
    ["chrome", "moz", "firefox", "edge", "microsoft-", "brave", "opera", "vivaldi", "ms-", "safari", "webkit", "vnd.", "web+"]
      .contains { scheme.hasPrefix($0) }
      || scheme.hasSuffix("-extension")
  }

  /// Schemes that run script, read files, start programs or devices, or come back to a signer.
  private static let refused: Set = [
    "javascript", "data", "vbscript", "file", "blob", "filesystem", "about", "view-source", "resource", "jar", "ws", "wss",
    "ftp", "ftps", "sftp", "ssh", "smb", "nfs", "dav", "davs", "mailto", "tel", "sms", "intent", "content", "android-app",
    "cid", "mid", "urn", "wyciwyg", "feed", "magnet", "ldap", "telnet", "gopher", "rtsp", "apt", "steam", "search-ms", "res",
    "mk", "mhtml", "ipp", "admin", "computer", "trash", "man", "info", "help", "ghelp", "yelp", "apturl", "appstream", "snap",
    "flatpak", "settings", "recent", "network", "burn", "mtp", "gphoto2", "obex", "webdav", "webdavs", "rsync", "git", "svn",
    "tftp", "rlogin", "tn3270", "vnc", "rdp", "spice", "cifs", "irc", "ircs", "xmpp", "news", "nntp", "snews", "imap", "pop",
    "webcal", "webcals", "callto", "sip", "sips", "skype", "facetime", "geo", "maps", "otpauth", "bitcoin", "lightning",
    "ethereum", "monero", "payto", "nostrwalletconnect", "nostr+walletconnect", "keyfob", "holdfast", "nostrsigner",
    "nostrconnect", "bunker", "nostr", "web+nostr",
  ]
}
