import Nostr

/// Events whose content was already encrypted.
extension EventDescription {
  mutating func sealed() {
    people("To")
    page.fact("Content", "\(template.content.utf8.count) bytes, encrypted before; what it says cannot be shown")
    if template.kind == 1059 {
      page.warning("A gift wrap is signed with a key made for it alone; under your own key it says who wrote it.")
    }
    if template.kind == 4 { page.fact("Who can see", "everybody sees who writes to whom, nobody else what") }
  }

  /// NIP-62.
  mutating func vanish() {
    page.warning("Relays that follow this erase all you ever published, for good. It cannot be taken back.")
    facts("Relay", tag: "relay")
    page.text("Text", template.content)
  }

  mutating func remoteSigning() {
    people("To")
    page.warning("This speaks to another remote signer in your name.")
    page.fact("Content", "\(template.content.utf8.count) bytes, encrypted before")
  }
}
