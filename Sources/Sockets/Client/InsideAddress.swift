import Encodings

/// Which addresses lie on this machine, inside the owner's network, or nowhere on the Internet.
enum InsideAddress {
  /// - Parameters:
  ///   - text: the numeric address that is connected to.
  ///   - own: which addresses count as inside in addition to the private ones.
  static func contains(_ text: String, own: OwnNetworks) -> Bool {
    // An address with a zone, such as fe80::1%eth0, is link-local.
    guard !text.contains("%"), let address = NetworkAddress(parsing: text) else { return true }
    return !PublicAddress.isPublic(address.bytes) || own.contains(address.bytes)
  }
}

extension WebSocketURL {
  /// Whether the text itself shows that only programs on this machine reach it: localhost, or a loopback address.
  public var isThisMachineAsWritten: Bool {
    isLocalhost || (Resolver.isLiteral(host) && NetworkAddress(parsing: host)?.isLoopback == true)
  }

  /// Whether the text itself shows that it lies on this machine or inside the owner's network: localhost, or a numeric address. A
  /// name can lead there without showing it, and so can a public address of this machine.
  public var isInsideAsWritten: Bool {
    isLocalhost || (Resolver.isLiteral(host) && InsideAddress.contains(host, own: OwnNetworks([])))
  }

  /// RFC 6761, section 6.3.
  private var isLocalhost: Bool { host == "localhost" || host.hasSuffix(".localhost") }
}
