import Encodings
import Platform

/// The addresses of this machine and the networks it is connected to. This includes public addresses, such as the global IPv6
/// addresses of a home network.
public struct OwnNetworks: Sendable {
  /// One address of an interface, as the kernel reports it.
  struct Interface: Sendable {
    let address: NetworkAddress
    /// The prefix length of the network, in the 128 bits of the IPv6 form.
    let bits: Int
    /// Whether the interface shares a link with other machines. False for loopback and tunnels.
    let isShared: Bool
  }

  /// The shortest prefix that is used, of 32 bits. In a wider network, addresses further away count as the Internet.
  static let widestIPv4 = 16
  /// The shortest prefix for IPv6, of 128 bits.
  static let widestIPv6 = 48
  /// The longest prefix that is used on a shared link, of 128 bits. A machine is often told only its own address.
  static let narrowestIPv6 = 64

  private let ranges: [AddressRange]

  init(_ interfaces: [Interface]) { ranges = interfaces.map(Self.range) }

  /// The networks at this moment. Empty when the system does not report them.
  public static func now() -> OwnNetworks { OwnNetworks(Interface.all()) }

  /// - Parameter address: 16 bytes; IPv4 as `::ffff:a.b.c.d`.
  public func contains(_ address: [UInt8]) -> Bool {
    guard let address = NetworkAddress(PublicAddress.meant(by: address)) else { return false }
    return ranges.contains { $0.contains(address) }
  }

  /// Whether the text itself shows that the server lies there: a numeric address.
  package func contains(asWritten url: WebSocketURL) -> Bool {
    Resolver.isLiteral(url.host) && InsideAddress.contains(url.host, own: self)
  }

  private static func range(_ interface: Interface) -> AddressRange {
    let isV4 = interface.address.isV4
    let widest = isV4 ? widestIPv4 + 96 : widestIPv6
    let narrowest = isV4 || !interface.isShared ? 128 : narrowestIPv6
    return AddressRange(interface.address, bits: max(widest, min(interface.bits, narrowest)))
  }
}

extension OwnNetworks.Interface {
  static func all() -> [Self] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return [] }
    defer { freeifaddrs(first) }
    return sequence(first: first, next: { $0?.pointee.ifa_next }).compactMap { $0.flatMap { Self($0.pointee) } }
  }

  /// Nil for an address that is neither IPv4 nor IPv6.
  private init?(_ entry: ifaddrs) {
    guard let address = NetworkAddress(entry.ifa_addr) else { return nil }
    self.address = address
    // The mask of an IPv4 address comes as an IPv4 address. The 96 bits before it all count.
    let ones = NetworkAddress(entry.ifa_netmask).map { Self.leadingOnes(of: $0.bytes.dropFirst(address.isV4 ? 12 : 0)) }
    bits = ones.map { $0 + (address.isV4 ? 96 : 0) } ?? 128
    isShared = entry.ifa_flags & UInt32(IFF_BROADCAST) != 0
  }

  private static func leadingOnes(of mask: ArraySlice<UInt8>) -> Int {
    let whole = mask.prefix { $0 == 0xFF }
    return whole.count * 8 + (mask.dropFirst(whole.count).first.map { (~$0).leadingZeroBitCount } ?? 0)
  }
}
