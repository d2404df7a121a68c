import Curve
import RemoteSigning
import Sockets

extension FuzzTarget {
  /// Pairing links, permission lists and relay addresses, as people paste them and apps send them.
  static let links = FuzzTarget("links") { (bytes) throws(FuzzFault) in
    let text = String(decoding: bytes, as: UTF8.self)
    try bunkerLink(text)
    try appLink(text)
    try permissions(text)
    try addresses(text)
    let shown = ShownText.clean(text, limit: 64)
    try require(shown.utf8.count <= 64 && !shown.utf8.contains { $0 < 0x20 || $0 == 0x7f }, "what is shown is one short line")
    let metadata = ClientMetadata(name: text, url: text, image: text)
    try require((metadata.name ?? "").utf8.count <= ClientMetadata.maximumNameLength, "a name is short")
    // The same as the query of a link that is right as far as the question mark.
    let start = "://\(Keys.bob.publicKey.hex)?"
    try bunkerLink("bunker" + start + text)
    try appLink("nostrconnect" + start + text)
  }

  private static func bunkerLink(_ text: String) throws(FuzzFault) {
    guard let link = try? BunkerURI(parsing: text) else { return }
    try require((1...BunkerURI.maximumRelays).contains(link.relays.count) && link.remoteSigner.isOnCurve, "a link can be used")
    try require((link.secret ?? "x").utf8.count <= BunkerURI.maximumSecretLength && link.secret != "", "the secret has a length")
    // Escaping may make a link longer than is read.
    guard link.text.utf8.count <= 4096 else { return }
    let again = try unfailing("a written link is read") { () throws(BunkerURIError) in try BunkerURI(parsing: link.text) }
    try require(again == link && again.text == link.text, "a link survives a round trip")
  }

  private static func appLink(_ text: String) throws(FuzzFault) {
    guard let link = try? NostrConnectURI(parsing: text) else { return }
    try require((1...NostrConnectURI.maximumRelays).contains(link.relays.count) && link.client.isOnCurve, "a link can be used")
    try require((1...NostrConnectURI.maximumSecretLength).contains(link.secret.utf8.count), "the secret has a length")
    try require(link.permissions.count <= Permission.maximumListed, "a list has an end")
  }

  private static func permissions(_ text: String) throws(FuzzFault) {
    let list = Permission.list(text)
    try require(list.count <= Permission.maximumListed, "a list has an end")
    try require(Permission.list(list.map(\.description).joined(separator: ",")) == list, "a list survives a round trip")
    if let one = Permission(parsing: text) { try require(Permission(parsing: one.description) == one, "a permission, too") }
  }

  private static func addresses(_ text: String) throws(FuzzFault) {
    if let relay = RelayURL(text) {
      try require(
        RelayURL(relay.text) == relay && relay.text.utf8.count <= RelayURL.maximumLength, "a relay survives a round trip")
      try require(relay.text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }, "a relay is visible ASCII")
    }
    guard let url = try? WebSocketURL(parsing: text) else { return }
    try require((try? WebSocketURL(parsing: url.text)) == url, "an address survives a round trip")
    try require(url.port > 0 && !url.host.isEmpty && url.target.utf8.first == UInt8(ascii: "/"), "an address can be used")
  }
}
