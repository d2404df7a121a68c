import Encodings

/// Who asks from this machine, without a relay.
public enum LocalCaller: Hashable, Sendable {
  /// A program at the apps' socket.
  case program(CallingProgram)
  /// A web page, by way of the browser extension.
  case site(CallingSite)
  /// A page or program that opened a link such as `keyfob://sign?…`.
  case link(CallingLink)

  /// What people call it: the file, the package or the host. At most 64 bytes, safe to show.
  public var name: String {
    switch self {
    case .program(let program): program.name
    case .site(let site): site.name
    case .link(let link): link.name
    }
  }

  /// The program's file, the site, or where a link's answer goes: 4,096 bytes at most. Not safe to show.
  public var place: String {
    switch self {
    case .program(let program): program.path
    case .site(let site): site.origin.text
    case .link(let link): link.callback
    }
  }

  /// Whether it is the place where links have their answers sent.
  public var isLink: Bool { if case .link = self { true } else { false } }

  /// The program, if it is one.
  public var program: CallingProgram? {
    if case .program(let program) = self { program } else { nil }
  }
}

/// A web page that asks through the browser extension.
///
/// The browser says which page it is, to the extension, which says it to the signer through a program that the browser starts. Another
/// program of the same user can start that program, too, and name any page; the path of its starter is part of the caller for that reason.
public struct CallingSite: Hashable, Sendable {
  /// The id of the user that the browser runs as.
  public let user: UInt32
  /// The page's origin, as the browser states it.
  public let origin: WebOrigin
  /// The extension's id, as the browser states it. At most 255 bytes.
  public let extensionID: String
  /// The path of the program that started the extension's helper: the browser's. At most 4,096 bytes.
  public let browser: String

  /// A site with all its parts.
  public init(user: UInt32, origin: WebOrigin, extensionID: String, browser: String) {
    (self.user, self.origin, self.extensionID, self.browser) = (user, origin, extensionID, browser)
  }

  fileprivate var name: String { CallerName.of(host: origin.host) }
}

/// Where the answer to a link goes. Any page and any program can open a link; only who is at this place reads the answer.
public struct CallingLink: Hashable, Sendable {
  /// The most bytes of the scheme of an app.
  public static let longestScheme = 64

  /// The id of the user who opened it.
  public let user: UInt32
  /// The origin of the callback, as `https://example.com`, or an app's scheme, as `myapp:`.
  public let callback: String

  /// - Returns: nil unless the callback is a `WebOrigin`, or a scheme (RFC 3986, section 3.1) in lower case, of at most 64 bytes, and a colon.
  public init?(user: UInt32, callback: String) {
    guard WebOrigin(callback) != nil || Self.isScheme(callback) else { return nil }
    (self.user, self.callback) = (user, callback)
  }

  /// The origin. Nil for an app's scheme.
  public var origin: WebOrigin? { WebOrigin(callback) }

  /// Never the name of the site itself: any page can open a link with answers to any place.
  fileprivate var name: String {
    let longest = CallerName.longest - Self.mark.utf8.count
    let place = origin.map { CallerName.ending($0.host, limit: longest) }
    return Self.mark + (place ?? ShownText.clean(String(callback.dropLast()), limit: longest))
  }

  private static let mark = "link:"

  private static func isScheme(_ text: String) -> Bool {
    guard text.hasSuffix(":"), (2...longestScheme + 1).contains(text.utf8.count) else { return false }
    let scheme = text.utf8.dropLast()
    return isLetter(scheme.first!)
      && scheme.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E].contains($0) }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
}
