import Nostr

/// Payments and wallets.
extension EventDescription {
  mutating func wallet() {
    page.warning("This belongs to a wallet: it can move or lose money.")
    people("To")
    facts("Mint", tag: "mint")
    facts("Amount", tag: "amount")
    if !template.content.isEmpty { page.fact("Content", "\(template.content.utf8.count) bytes that only the wallet can read") }
  }

  /// NIP-57: with this event an app gets an invoice. The event pays nothing by itself.
  mutating func zapRequest() {
    people("To")
    if let amount = value("amount").flatMap({ Int64($0) }), amount >= 0 { page.fact("Amount", Self.sats(amount)) }
    references("For the post", tag: "e")
    page.text("Text", template.content)
    _ = tags("relays")
    _ = tags("lnurl")
  }

  private static func sats(_ millisats: Int64) -> String {
    let rest = millisats % 1000
    return "\(millisats / 1000)" + (rest == 0 ? "" : " and \(rest) thousandths") + " sats"
  }
}
