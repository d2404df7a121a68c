import Encodings
import JSON
import Nostr

/// Payments and wallets.
extension EventDescription {
  mutating func wallet() {
    page.warning("This belongs to a wallet: it can move or lose money.")
    people("To")
    switch template.kind {
    case 9321: return nutzap()
    case 13194: return walletService()
    case 10019: nutzapSettings()
    default: break
    }
    facts("Mint", tag: "mint")
    facts("Amount", tag: "amount")
    walletContent()
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

  /// NIP-61: cashu tokens for somebody. Each `proof` is a token in JSON; what they are worth together is what is sent.
  private mutating func nutzap() {
    facts("Mint", tag: "u")
    let (unit, worth) = (value("unit") ?? "sat", proofsWorth())
    if let worth {
      page.fact("Amount", "\(worth) \(unit)")
    } else {
      page.warning("The tokens in it cannot be read, so Holdfast does not know how much it sends.")
    }
    if let said = value("amount"), said != worth.map(String.init) {
      page.fact("Amount that it names", said)
      page.warning("The amount that it names is not what its tokens are worth.")
    }
    page.text("Comment", template.content)
  }

  /// Nil if a token is unreadable or has no sensible amount, or if there is none.
  private mutating func proofsWorth() -> Int64? {
    let proofs = tags("proof")
    guard !proofs.isEmpty else { return nil }
    var sum: Int64 = 0
    for proof in proofs {
      guard let amount = (try? JSONValue(parsing: Array(proof[1].utf8)))?["amount"]?.integer, amount >= 0 else { return nil }
      let (next, isTooMuch) = sum.addingReportingOverflow(amount)
      guard !isTooMuch else { return nil }
      sum = next
    }
    return sum
  }

  /// NIP-61: where others send tokens to, and the key that these are locked to.
  private mutating func nutzapSettings() {
    facts("Relay", tag: "relay")
    facts("Tokens are locked to the key", tag: "pubkey")
  }

  /// NIP-47: what a wallet service answers to, in plain text.
  private mutating func walletService() {
    facts("Encryption it can use", tag: "encryption")
    facts("Notices it sends", tag: "notifications")
    page.text("What it can do", template.content)
  }

  // Most wallet kinds have an encrypted content (NIP-47, NIP-60), others plain text. An app may put either into any.
  private mutating func walletContent() {
    guard !template.content.isEmpty else { return }
    guard isContentEncrypted else { return page.text("Text", template.content) }
    let count = template.content.utf8.count
    page.fact("Content", "\(count) byte\(count == 1 ? "" : "s"), already encrypted, so the text cannot be shown")
  }

  /// Whether the content looks like NIP-44 or NIP-04. NIP-44 has at least 132 letters.
  var isContentEncrypted: Bool {
    let content = template.content.utf8
    if template.content.includes("?iv=") { return !content.contains(UInt8(ascii: " ")) }
    return content.count >= 132 && content.allSatisfy { Self.isBase64(Unicode.Scalar($0)) }
  }

  private static func isBase64(_ letter: Unicode.Scalar) -> Bool {
    switch letter {
    case "a"..."z", "A"..."Z", "0"..."9", "+", "/", "=": true
    default: false
    }
  }

  private static func sats(_ millisats: Int64) -> String {
    let rest = millisats % 1000
    return "\(millisats / 1000)" + (rest == 0 ? "" : " and \(rest) thousandths") + " sats"
  }
}
