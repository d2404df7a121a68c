internal import Encodings

/// Which addresses lie inside the owner's network, on this machine, or nowhere on the open Internet.
enum InsideAddress {
  /// - Parameters:
  ///   - text: an address in numbers, as it is connected to.
  ///   - own: what counts beside the addresses that are not of the open Internet.
  static func contains(_ text: String, own: OwnNetworks) -> Bool {
    // With a zone, as fe80::1%eth0, it is link-local.
    guard !text.contains("%"), let address = NetworkAddress(parsing: text) else { return true }
    return !PublicAddress.isPublic(address.bytes) || own.contains(address.bytes)
  }
}

extension WebSocketURL {
  /// Whether everybody who reads it sees that it lies on this machine or inside the owner's network: localhost, or an address in numbers.
  /// A name may lead there without showing it, and so may an address of the open Internet that is this machine's.
  public var isInsideAsWritten: Bool {
    host == "localhost" || host.hasSuffix(".localhost")
      || (Resolver.isLiteral(host) && InsideAddress.contains(host, own: OwnNetworks([])))
  }
}
