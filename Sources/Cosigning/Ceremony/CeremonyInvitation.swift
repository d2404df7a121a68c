public import Curve
public import Encodings

/// Invites one member to a ceremony: `cosign://HOST?ceremony=…&secret=…&relay=…`. Whoever has it first becomes that member, so it is to be
/// passed on as carefully as a link that pairs an app.
public struct CeremonyInvitation: Sendable, Equatable {
  /// The longest text that is read, in bytes.
  public static let longest = 2_048
  /// The most relays in one.
  public static let mostRelays = 8
  private static let scheme = "cosign://"

  /// The host's key in the group.
  public let host: PublicKey
  /// What all messages of the ceremony have in common.
  public let ceremony: Bytes32
  /// What the invited one proves itself with, once.
  public let secret: Bytes32
  /// Where the members meet, as they are in the text. Whether they are addresses of relays is not checked here.
  public let relays: [String]

  /// - Parameter relays: from one to `mostRelays`.
  /// - Throws: `.badGroup` for none or too many, and for one that cannot stand in the text, such as one with `&`.
  public init(host: PublicKey, ceremony: Bytes32, secret: Bytes32, relays: [String]) throws(CosignError) {
    (self.host, self.ceremony, self.secret, self.relays) = (host, ceremony, secret, relays)
    guard (1...Self.mostRelays).contains(relays.count), relays.allSatisfy(Self.canStand), text.utf8.count <= Self.longest else {
      throw .badGroup
    }
  }

  private static func canStand(_ relay: String) -> Bool {
    !relay.isEmpty && relay.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "&") && $0 != UInt8(ascii: "#") }
  }

  /// The text that is passed on.
  public var text: String {
    let relays = relays.map { "&relay=" + $0 }.joined()
    return Self.scheme + host.hex + "?ceremony=" + ceremony.hex + "&secret=" + secret.hex + relays
  }

  /// - Parameter text: from a stranger. Parameters that are not known are ignored.
  /// - Returns: nil for anything but an invitation.
  public init?(_ text: String) {
    guard text.utf8.count <= Self.longest, text.hasPrefix(Self.scheme) else { return nil }
    let parts = text.dropFirst(Self.scheme.count).split(separator: "?", maxSplits: 1)
    guard parts.count == 2, let host = Bytes32(hex: String(parts[0])) else { return nil }
    var values: [Substring: [String]] = [:]
    for pair in parts[1].split(separator: "&") {
      let sides = pair.split(separator: "=", maxSplits: 1)
      guard sides.count == 2 else { return nil }
      values[sides[0], default: []].append(String(sides[1]))
    }
    guard let ceremony = values["ceremony"].flatMap(Self.only), let secret = values["secret"].flatMap(Self.only),
      let made = try? Self(host: PublicKey(host), ceremony: ceremony, secret: secret, relays: values["relay"] ?? [])
    else { return nil }
    self = made
  }

  private static func only(_ values: [String]) -> Bytes32? { values.count == 1 ? Bytes32(hex: values[0]) : nil }
}
