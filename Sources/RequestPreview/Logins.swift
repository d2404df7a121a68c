import Nostr
import RemoteSigning

/// Events that log the owner in somewhere. Whoever holds such an event can act there in the owner's name until it expires.
extension EventDescription {
  /// NIP-98.
  mutating func webLogin() {
    let address = ShownAddress(value("u") ?? "")
    let method = value("method")
    if address.host.isEmpty { retitle(.unnamedSite) } else { retitle("Log in to a website: \(address.host)") }
    page.url("Address", address, method: method)
    if let payload = value("payload") { page.fact("Also sends", "data with the hash \(payload)") }
    if let method, !["GET", "HEAD"].contains(method.uppercased()) {
      page.fact("It may", "change something on the website (\(method))")
    }
    page.text("Content", template.content)
  }

  /// NIP-42.
  mutating func relayLogin() {
    let url = value("relay") ?? ""
    let address = ShownAddress(url, schemes: ["wss", "ws"])
    if address.host.isEmpty { retitle(.unnamedRelay) } else { retitle("Log in to a relay: \(address.host)") }
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
      return page.warning("It does not say clearly what it allows.")
    }
    if file.deletes {
      retitle(.fileDeletion)
      page.warning("It allows deleting files.", about: .deletesFiles)
    }
    if file.servers.isEmpty { page.fact("Valid at", "every file server") }
    if !file.namesFiles { page.fact("Valid for", file.deletes ? "any file of yours" : "any file") }
    guard let end = value("expiration").flatMap({ Int64($0) }) else { return page.warning("It never expires.") }
    page.date("Valid until", end)
    if file.lastsLong(at: receivedAt) {
      page.warning("It is valid for more than a day. Anybody who gets it can use it until then.")
    }
  }

  private static let verbs = [
    "get": "read a file", "upload": "upload a file", "list": "list your files", "delete": "delete a file",
    "media": "change a file",
  ]
}
