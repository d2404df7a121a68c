import JSON
import Nostr
import RemoteSigning

/// Public posts: notes, comments, articles, reactions, reposts, deletions, reports.
extension EventDescription {
  /// Describes a kind without a description of its own by its text, if it has one.
  mutating func other() {
    page.fact("Title", value("title") ?? "")
    if KindName.isKnown(template.kind) {
      page.text("Text", template.content)
      replies()
    } else {
      page.fact("Kind", "\(template.kind), which Holdfast does not know; see the raw event")
      page.text("Content", template.content)
    }
  }

  // NIP-10: the marker of an "e" tag gives its role. NIP-22 marks the root with capital letters.
  private mutating func replies() {
    let marked = template.tags.filter { $0.first == "e" && $0.count > 3 && ["reply", "root"].contains($0[3]) }
    guard let reply = marked.first(where: { $0[3] == "reply" }) ?? marked.first else {
      return references("Comments on", tag: "E")
    }
    page.reference("Replies to", reply[1])
    let rest = tags("e").filter { $0[1] != reply[1] }
    for tag in rest.prefix(DescriptionPage.mostReferences) { page.reference("In the thread of", tag[1]) }
  }

  mutating func article() {
    page.fact("Title", value("title") ?? "")
    page.fact("Summary", value("summary") ?? "")
    facts("Price", tag: "price")
    if let image = value("image") { page.url("Picture", ShownAddress(image), method: nil) }
    if let published = value("published_at").flatMap({ Int64($0) }) { page.date("First published", published) }
    page.text("Text", template.content)
  }

  mutating func reaction() {
    if let heading = RequestHeading.ofReaction(template.content) {
      retitle(heading)
    } else {
      page.text("Reaction", template.content)
    }
    _ = tags("emoji")
    let post = tags("e").last
    if let post { page.reference("To the post", post[1]) }
    people("Written by")
    _ = tags("k")
  }

  mutating func repost() {
    references("Reposts", tag: "e")
    people("Written by")
    _ = tags("k")
    if let inner = try? EventTemplate(parsing: Array(template.content.utf8)) {
      page.text("What it says", inner.content)
    } else {
      page.text("Content", template.content)
    }
  }

  /// What the text of an event that removes something is called: it is the app's, as everything of an event.
  static let appsReason = "Its reason, as the app gives it"

  mutating func deletion() {
    let lists = template.deletedLists(of: page.identity).union(deletedLists)
    retitle(deletionTitle(lists))
    references("Deletes", tag: "e")
    references("Deletes", tag: "a")
    facts("Of kind, as the app says", tag: "k")
    page.text(Self.appsReason, template.content)
    if lists.contains(EventKind.metadata) { page.warning("Others would no longer see your profile.", about: .lostProfile) }
    if lists.contains(EventKind.follows) {
      page.warning("Your apps and others would no longer see whom you follow.", about: .lostFollows)
    }
    if !lists.subtracting([EventKind.metadata, EventKind.follows]).isEmpty {
      page.warning("A list of yours would be gone.", about: .lostList)
    }
    page.warning("Relays cannot restore what they delete.")
  }

  private func deletionTitle(_ lists: Set<Int>) -> String {
    if lists.contains(EventKind.metadata) { return "Ask relays to delete your profile" }
    if lists.contains(EventKind.follows) { return "Ask relays to delete the list of people you follow" }
    if !lists.isEmpty { return "Ask relays to delete a list of yours" }
    let count = template.tags.count { $0.first == "e" || $0.first == "a" }
    guard count > 0 else { return "Ask relays to delete, without naming a post" }
    return "Ask relays to delete \(count) post\(count == 1 ? "" : "s")"
  }

  mutating func report() {
    let kinds = template.tags.filter { ["p", "e"].contains($0.first) && $0.count > 2 }.map { $0[2] }
    page.fact("As", Set(kinds).sorted().prefix(DescriptionPage.mostReferences).joined(separator: ", "))
    people("About")
    references("Because of", tag: "e")
    page.text("Text", template.content)
  }

  mutating func applicationData() {
    page.fact("Saved as", value("d") ?? "")
    page.text("What it saves", template.content)
  }
}
