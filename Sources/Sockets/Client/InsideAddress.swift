internal import Encodings
import Glibc

/// Which addresses lie inside the owner's network, on this machine, or nowhere on the open Internet.
enum InsideAddress {
  /// - Parameter text: an address in numbers, as it is connected to.
  static func contains(_ text: String) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET6, text, &bytes) == 1 { return !PublicAddress.isPublic(bytes) }
    guard inet_pton(AF_INET, text, &bytes) == 1 else { return true }  // with a zone, as fe80::1%eth0: link-local
    return !PublicAddress.isPublic([UInt8](repeating: 0, count: 10) + [0xff, 0xff] + bytes.prefix(4))
  }
}

extension WebSocketURL {
  /// Whether everybody who reads it sees that it lies on this machine or inside the owner's network: localhost, or an address in numbers.
  /// A name may lead there without showing it.
  public var isInsideAsWritten: Bool {
    host == "localhost" || host.hasSuffix(".localhost") || (Resolver.isLiteral(host) && InsideAddress.contains(host))
  }
}
