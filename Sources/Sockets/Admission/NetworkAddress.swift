import Platform

/// An IPv4 or IPv6 address, stored inline. An IPv4 address equals its IPv6 form (`::ffff:a.b.c.d`).
public struct NetworkAddress: Hashable, Sendable {
  // The address as IPv6, or mapped into IPv6: its first 8 bytes and its last 8, in network order.
  private let high, low: UInt64

  private static let mapped: UInt64 = 0xFFFF_0000_0000
  private static let longest = 64

  /// - Parameter text: as `inet_pton` reads it. A zone suffix (`%eth0`) is ignored.
  public init?(parsing text: some StringProtocol) {
    let bare = text.prefix { $0 != "%" }
    guard (1...Self.longest).contains(bare.utf8.count) else { return nil }
    var v4 = in_addr()
    var v6 = in6_addr()
    if inet_pton(AF_INET, String(bare), &v4) == 1 {
      (high, low) = (0, Self.mapped | UInt64(UInt32(bigEndian: v4.s_addr)))
    } else if inet_pton(AF_INET6, String(bare), &v6) == 1 {
      let halves = withUnsafeBytes(of: &v6) { bytes in
        [0, 8].map { UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: $0, as: UInt64.self)) }
      }
      (high, low) = (halves[0], halves[1])
    } else {
      return nil
    }
  }

  /// - Parameter bytes: an IPv6 address, or an IPv4 address mapped into IPv6: 16 bytes in network order. Another length gives nil.
  init?(_ bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    func half(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
    (high, low) = (half(bytes[..<8]), half(bytes[8...]))
  }

  /// The address of a socket; nil for other address families.
  init?(_ address: UnsafePointer<sockaddr>?) {
    guard let address else { return nil }
    switch Int32(address.pointee.sa_family) {
    case AF_INET:
      let number = UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in.self).sin_addr.s_addr
      self.init(0, Self.mapped | UInt64(UInt32(bigEndian: number)))
    case AF_INET6:
      let bytes = withUnsafeBytes(of: UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in6.self).sin6_addr) { Array($0) }
      self.init(bytes)
    default: return nil
    }
  }

  private init(_ high: UInt64, _ low: UInt64) { (self.high, self.low) = (high, low) }

  /// The address as IPv6, or mapped into IPv6: 16 bytes in network order.
  var bytes: [UInt8] { [high, low].flatMap { half in withUnsafeBytes(of: half.bigEndian) { Array($0) } } }

  /// The address as people write it; an IPv6 address in its shortest form.
  public var text: String {
    let (family, number) = isV4 ? (AF_INET, Array(bytes.suffix(4))) : (AF_INET6, bytes)
    var written = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard inet_ntop(family, number, &written, socklen_t(written.count)) != nil else { return "" }
    return String(decoding: written.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Whether it is an IPv4 address.
  public var isV4: Bool { high == 0 && low >> 32 == Self.mapped >> 32 }

  /// Whether it is a loopback address.
  public var isLoopback: Bool { isV4 ? low >> 24 & 0xFF == 127 : high == 0 && low == 1 }

  /// The part of the address that one customer of a network usually has: an IPv4 address, or the first 64 bits of an IPv6
  /// address.
  public var network: NetworkAddress { isV4 ? self : NetworkAddress(high, 0) }

  /// The part that one customer of a provider has at most, as a rule: an IPv4 address, or the first 48 bits of an IPv6 address.
  public var site: NetworkAddress { isV4 ? self : prefix(48) }

  /// The address with only its first bits kept and the others set to zero. Bits are counted in the 128 of the IPv6 form.
  func prefix(_ bits: Int) -> NetworkAddress {
    func kept(_ bits: Int) -> UInt64 { bits <= 0 ? 0 : bits >= 64 ? .max : .max << UInt64(64 - bits) }
    return NetworkAddress(high & kept(bits), low & kept(bits - 64))
  }
}

/// A range of addresses with the same first bits, or a single address.
public struct AddressRange: Hashable, Sendable {
  private let first: NetworkAddress
  private let bits: Int

  /// - Parameter text: an address, or an address with a prefix length: `10.0.0.0/8`, `fd00::/8`.
  public init?(parsing text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count <= 2, let address = NetworkAddress(parsing: parts[0]), !parts[0].contains("%") else { return nil }
    let all = address.isV4 ? 32 : 128
    guard parts.count == 2 else {
      (first, bits) = (address, 128)
      return
    }
    guard (1...3).contains(parts[1].utf8.count), parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let given = Int(parts[1]), given <= all
    else { return nil }
    bits = given + 128 - all
    first = address.prefix(bits)
  }

  /// All addresses with the same first bits as this one. Bits are counted in the 128 of the IPv6 form.
  init(_ address: NetworkAddress, bits: Int) { (first, self.bits) = (address.prefix(bits), bits) }

  /// Whether its prefix is shorter than 8 bits, so that strangers have some of its addresses. `fc00::/7` is private as a whole.
  package var isBroad: Bool {
    let given = first.isV4 && bits >= 96 ? bits - 96 : bits
    return given < 8 && !(given == 7 && first.bytes[0] == 0xFC)
  }

  /// Whether the range contains the address.
  public func contains(_ address: NetworkAddress) -> Bool { address.prefix(bits) == first }
}
