import Nostr
import RemoteSigning

/// Events that log the owner in somewhere. Whoever holds such an event can act there in the owner's name until it expires.
extension EventDescription {
  /// NIP-98.
  mutating func webLogin() {
    let address = ShownAddress(value("u") ?? "")
    let method = value("method")
    retitle(address.host.isEmpty ? "Log in to a web site that is not named" : "Log in to \(address.host)")
    page.url("Address", address, method: method)
    if let payload = value("payload") { page.fact("Sends along", "something with the hash \(payload)") }
    if let method, !["GET", "HEAD"].contains(method.uppercased()) {
      page.fact("It may", "change something there (\(method))")
    }
    page.text("Content", template.content)
  }

  /// NIP-42.
  mutating func relayLogin() {
    let url = value("relay") ?? ""
    let address = ShownAddress(url, schemes: ["wss", "ws"])
    retitle(address.host.isEmpty ? "Log in to a relay that is not named" : "Log in to the relay \(address.host)")
    page.relay("Relay", url)
    for fault in address.faults { page.warning(fault) }
    if (value("challenge") ?? "").isEmpty { page.warning("The relay's challenge is missing.") }
    page.text("Content", template.content)
  }

  /// Blossom's logins.
  mutating func fileLogin() {
    if let verb = value("t") { page.fact("To", Self.verbs[verb] ?? verb) }
    facts("Server", tag: "server")
    facts("File", tag: "x")
    page.text("Text", template.content)
    tellFileLogin()
  }

  private mutating func tellFileLogin() {
    guard let file = FileLogin(tags: template.tags) else {
      return page.warning("It does not say clearly what it is good for.")
    }
    if file.deletes { page.warning("Files would be deleted with it.") }
    if file.servers.isEmpty { page.fact("Good at", "every file server") }
    if !file.namesFiles { page.fact("Good for", file.deletes ? "any file of yours" : "any file") }
    guard let end = value("expiration").flatMap({ Int64($0) }) else { return page.warning("It has no end.") }
    page.date("Good until", end)
    if file.lastsLong(at: receivedAt) {
      page.warning("It stays good for more than a day: who gets hold of it can use it until then.")
    }
  }

  private static let verbs = [
    "get": "read a file", "upload": "upload a file", "list": "list your files", "delete": "delete a file",
    "media": "change a file",
  ]
}
