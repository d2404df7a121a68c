import Nostr

/// Events whose content was already encrypted.
extension EventDescription {
  mutating func sealed() {
    people("To")
    if template.kind == 4, !isContentEncrypted { return readable() }
    let count = template.content.utf8.count
    page.fact("Content", "\(count) byte\(count == 1 ? "" : "s"), already encrypted, so the text cannot be shown")
    if template.kind == 1059 {
      page.warning("A gift wrap should be signed by a new key. Signed by your key, it shows who wrote it.")
    }
    if template.kind == 4 { page.fact("Who can see", "everybody sees who writes to whom, but not what") }
  }

  /// A private message that the app forgot to encrypt.
  private mutating func readable() {
    page.warning("This message is not encrypted: once it is published, everybody can read it.")
    page.text("Message", template.content)
  }

  /// NIP-62.
  mutating func vanish() {
    page.warning("Relays that obey this erase everything you ever published, for good. You cannot undo it.")
    // NIP-62 writes it so where no relay is meant in particular.
    let relays = tags("relay").map { $0[1] == "ALL_RELAYS" ? nil : $0.dropFirst().joined(separator: " ") }
    if relays.contains(nil) { page.fact("To", "every relay") }
    let named = relays.compactMap { $0 }
    for relay in named.prefix(DescriptionPage.mostReferences) { page.fact("Relay", relay) }
    tellRest(of: named.count, "Relay")
    page.text(Self.appsReason, template.content)
  }

  mutating func remoteSigning() {
    people("To")
    page.warning("This sends a message to another remote signer in your name.")
    let count = template.content.utf8.count
    page.fact("Content", "\(count) byte\(count == 1 ? "" : "s"), already encrypted")
  }
}
