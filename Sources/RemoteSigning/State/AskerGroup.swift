import Encodings
import Platform

/// The callers that most likely belong to the same people: a program is one of its own, and so are the pages and links of one site, whatever
/// names their hosts have below it.
///
/// A site is told by the last two labels of its host. Strangers whose sites have the same two, as under `co.uk`, share what a group may ask.
public enum AskerGroup: Hashable, Sendable {
  case program(CallingProgram)
  /// In one browser.
  case site(String, browser: String)
  case link(String)
}

extension LocalCaller {
  /// The group of a caller.
  public var group: AskerGroup {
    switch self {
    case .program(let program): .program(program)
    case .site(let site): .site(site.origin.site, browser: site.browser)
    case .link(let link): .link(link.origin?.site ?? link.callback)
    }
  }
}

extension WebOrigin {
  /// The last two labels of the host. Of an address, the part that one machine's owner has all of: the first 48 bits of IPv6, the first
  /// three numbers of IPv4.
  fileprivate var site: String {
    if host.hasPrefix("[") { return Self.network(String(host.dropFirst().dropLast())) ?? host }
    let labels = host.split(separator: ".")
    guard labels.count > 2 else { return host }
    let isAddress = labels.count == 4 && labels.allSatisfy { UInt8($0) != nil }
    return (isAddress ? labels.prefix(3) : labels.suffix(2)).joined(separator: ".")
  }

  private static func network(_ address: String) -> String? {
    var parsed = in6_addr()
    guard inet_pton(AF_INET6, address, &parsed) == 1 else { return nil }
    return withUnsafeBytes(of: parsed) { "[\(Hex.encode(Array($0.prefix(6))))]" }
  }
}
