import Encodings
import RemoteSigning

/// An address that an app wrote, with the host it really leads to and its problems.
struct ShownAddress {
  /// Cleaned and shortened.
  let text: String
  /// The host, in lower case, with its port; empty when there is none.
  let host: String
  /// What the owner should notice, in this program's words.
  let faults: [String]

  init(_ address: String, schemes: [String] = ["https", "http"]) {
    let bytes = Array(address.utf8)
    text = DescriptionPage.line(address)
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: "://".utf8) else {
      (host, faults) = ("", ["This is not a web address."])
      return
    }
    let scheme = String(decoding: bytes[..<colon], as: UTF8.self).lowercased()
    // Browsers read "\" as "/": it ends the host, whatever follows.
    let ends: [UInt8] = [0x2F, 0x5C, 0x3F, 0x23]
    let authority = bytes[(colon + 3)...].prefix { !ends.contains($0) }
    let place = authority.lastIndex(of: UInt8(ascii: "@")).map { authority[($0 + 1)...] } ?? authority
    host = ShownText.clean(String(decoding: place, as: UTF8.self).lowercased(), limit: 100)
    faults = Self.faults(scheme, schemes, isPlain: place.count == authority.count, bytes, host, place)
  }

  private static func faults(
    _ scheme: String, _ schemes: [String], isPlain: Bool, _ bytes: [UInt8], _ host: String, _ place: ArraySlice<UInt8>
  ) -> [String] {
    var faults: [String] = []
    if !schemes.contains(scheme) { faults.append("The address has an unusual scheme.") }
    if host.isEmpty { faults.append("The address names no host.") }
    if !isPlain || bytes.contains(0x5C) { faults.append("The address is written to look like another host's.") }
    if !place.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) || host.includes("xn--") {
      faults.append("The host's name has letters that look like others.")
    }
    if scheme == "http" || scheme == "ws", !isLocal(host) { faults.append("The connection is not encrypted.") }
    return faults
  }

  private static func isLocal(_ host: String) -> Bool {
    ["localhost", "127.0.0.1", "[::1]"].contains { host == $0 || host.hasPrefix($0 + ":") }
  }
}
