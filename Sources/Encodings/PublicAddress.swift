/// Tells addresses of the open Internet from others. A stranger chooses a push endpoint or the relay in an app's link. Without
/// this check, it could make the signer connect to machines inside the owner's network (SSRF).
public enum PublicAddress {
  /// - Parameter address: 16 bytes; IPv4 as `::ffff:a.b.c.d`.
  /// - Returns: false for every range that IANA's special-purpose registries keep from the open Internet, also where it is written
  ///   inside an address of a translation or tunnel.
  public static func isPublic(_ address: [UInt8]) -> Bool {
    guard address.count == 16 else { return false }
    if let inner = embedded(address) { return isPublicIPv4(inner) }
    // Everything given out so far lies in 2000::/3; the rest is loopback, local, link-local, multicast or nothing.
    guard address[0] & 0xe0 == 0x20 else { return false }
    let isOfIETF = address[0] == 0x20 && address[1] == 0x01 && address[2] < 2  // 2001::/23: Teredo, ORCHID and others
    let isDocumentation =
      (address[0] == 0x20 && address[1] == 0x01 && address[2] == 0x0d && address[3] == 0xb8)
      || (address[0] == 0x3f && address[1] == 0xff)
    return !isOfIETF && !isDocumentation
  }

  /// The address that is reached by one of a translation or tunnel: IPv4 as `::ffff:a.b.c.d`. Any other is itself.
  public static func meant(by address: [UInt8]) -> [UInt8] {
    guard address.count == 16, let inner = embedded(address) else { return address }
    return mapped + inner
  }

  private static let mapped = [UInt8](repeating: 0, count: 10) + [0xff, 0xff]

  /// The IPv4 address that a mapped (::ffff:0:0/96), translated (64:ff9b::/96) or tunnelled (2002::/16) address stands for.
  private static func embedded(_ address: [UInt8]) -> [UInt8]? {
    let translated: [UInt8] = [0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0]
    if address.starts(with: mapped) || address.starts(with: translated) { return Array(address[12...]) }
    return address.starts(with: [0x20, 0x02]) ? Array(address[2..<6]) : nil
  }

  private static func isPublicIPv4(_ address: [UInt8]) -> Bool {
    let number = address.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return !reserved.contains { block in number >> (32 - block.bits) == block.start >> (32 - block.bits) }
  }

  private static func block(_ a: UInt32, _ b: UInt32, _ c: UInt32, bits: UInt32) -> (start: UInt32, bits: UInt32) {
    (a << 24 | b << 16 | c << 8, bits)
  }

  private static let reserved = [
    block(0, 0, 0, bits: 8),  // this network
    block(10, 0, 0, bits: 8), block(172, 16, 0, bits: 12), block(192, 168, 0, bits: 16),  // private
    block(100, 64, 0, bits: 10),  // carriers' own
    block(127, 0, 0, bits: 8),  // loopback
    block(169, 254, 0, bits: 16),  // link-local, clouds' metadata
    block(192, 0, 0, bits: 24), block(192, 88, 99, bits: 24),  // protocols, relays of 6to4
    block(192, 0, 2, bits: 24), block(198, 51, 100, bits: 24), block(203, 0, 113, bits: 24),  // documentation
    block(198, 18, 0, bits: 15),  // benchmarks
    block(224, 0, 0, bits: 3),  // multicast and reserved, broadcast
  ]
}
