import Nostr

/// What a login to a file server (Blossom, kind 24242) would allow.
public struct FileLogin: Hashable, Sendable {
  /// The longest life of one that goes without asking, in seconds: a day, as clients in use give it.
  public static let longestLifetime: Int64 = 86_400
  /// The longest verb taken, in bytes.
  static let maximumVerbLength = 16

  /// What is to be done: get, upload, list, delete, media.
  public let verb: String
  /// The servers it is limited to, hosts without ports. Empty for all.
  public let servers: [String]
  /// Whether it is limited to named files.
  public let namesFiles: Bool
  /// When it ends, seconds since 1970. Nil where it has no end that can be read.
  public let expiresAt: Int64?

  /// A login with all its parts.
  public init(verb: String, servers: [String] = [], namesFiles: Bool = false, expiresAt: Int64?) {
    (self.verb, self.servers, self.namesFiles, self.expiresAt) = (verb, servers, namesFiles, expiresAt)
  }

  /// Reads an event's tags. Nil if they name no action or several, or an invalid server.
  public init?(tags: [[String]]) {
    func values(_ name: String) -> [String] { tags.filter { $0.first == name }.map { $0.count > 1 ? $0[1] : "" } }
    let verbs = values("t")
    guard verbs.count == 1, let verb = Self.verb(verbs[0]) else { return nil }
    var servers: [String] = []
    for text in values("server") {
      guard let host = LoginAddress.server(text) else { return nil }
      if !servers.contains(host) { servers.append(host) }
    }
    let ends = values("expiration")
    self.init(
      verb: verb, servers: servers, namesFiles: tags.contains { $0.first == "x" && $0.count > 1 && !$0[1].isEmpty },
      expiresAt: ends.count == 1 ? Int64(ends[0]) : nil)
  }

  /// A verb as servers read it. Nil for a text that is none.
  static func verb(_ text: some StringProtocol) -> String? {
    let bytes = Array(text.utf8)
    guard !bytes.isEmpty, bytes.count <= maximumVerbLength, bytes.allSatisfy({ (0x61...0x7a).contains($0) }) else { return nil }
    return String(text)
  }

  /// Whether files would be deleted with it.
  public var deletes: Bool { verb == "delete" }

  /// Whether it allows only adding or reading of named files, which is all that posting a picture needs.
  public var isBound: Bool { namesFiles && ["get", "upload", "media"].contains(verb) }

  /// Whether it would be valid for longer than is allowed without asking.
  public func lastsLong(at now: Int64) -> Bool {
    guard let expiresAt else { return true }
    return expiresAt > SigningTime.limit(now, Self.longestLifetime + SigningTime.toleratedLead)
  }

  /// As a permission names it: the server where it is limited to one.
  var scope: PermissionScope { .file(verb: verb, server: servers.count == 1 ? servers[0] : nil) }
}
