import Nostr
import RemoteSigning

/// Tags that any kind of event may contain.
extension EventDescription {
  /// Describes tags with the same meaning on every kind, unless the kind's own description has already done so.
  mutating func tellCommonTags() {
    for (label, name) in [("Warns of", "content-warning"), ("Topic", "t")] where !isTold(name) { facts(label, tag: name) }
    if !isTold("expiration"), let time = value("expiration").flatMap({ Int64($0) }) { page.date("Expires on relays", time) }
    zapSplits()
    invoices()
    if !tags("delegation").isEmpty { page.warning("It is published in another key's name (delegation).") }
    if !isTold("p") { people("Mentions") }
    for name in ["e", "a"] where !isTold(name) { references("Points to", tag: name) }
    if !isTold("q") { references("Quotes", tag: "q") }
    pictures()
    if !isTold("d") { facts("Identifier", tag: "d") }
    _ = tags("alt")
  }

  // The people listed here are paid instead of the author.
  private mutating func zapSplits() {
    let splits = tags("zap")
    guard !splits.isEmpty else { return }
    for split in splits.prefix(DescriptionPage.mostReferences) { page.peer("Zaps go to", hex: split[1]) }
    page.warning("Payments for this post go to these people.")
  }

  // Readers of a job's result take the invoice in it for the author's. An app can put any invoice there.
  private mutating func invoices() {
    guard template.tags.contains(where: EventTemplate.isInvoice) else { return }
    page.warning("It contains an invoice. Payments go to whoever made the invoice, which may not be you.")
  }

  private mutating func pictures() {
    for tag in tags("imeta").prefix(DescriptionPage.mostReferences) {
      guard let url = tag.dropFirst().first(where: { $0.hasPrefix("url ") })?.dropFirst(4) else { continue }
      page.url("File", ShownAddress(String(url)), method: nil)
    }
  }

  /// The date that the event will have, where it is not simply now. Logins always get the time of the approval.
  mutating func tellDate() {
    guard let createdAt = template.createdAt, !SigningTime.isLogin(template.kind),
      SigningTime.isDeliberate(createdAt, receivedAt: receivedAt)
    else {
      let isNow = template.createdAt != nil && !SigningTime.isLogin(template.kind)
      return isNow ? () : page.fact("Dated", "when you approve it")
    }
    page.date("Dated", createdAt)
    if createdAt > receivedAt { page.warning("It is dated in the future.") }
  }
}
