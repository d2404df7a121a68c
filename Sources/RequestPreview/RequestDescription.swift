internal import Curve
package import JSON
package import Nostr
package import RemoteSigning

/// What the owner reads about a waiting request before answering it: the same on the command line, in the console and on the
/// desktop.
package struct RequestDescription {
  /// What is known in addition to the request itself.
  package struct Surroundings {
    /// The app, while it is paired.
    let pairing: Pairing?
    let identityName: String
    /// What the rules use besides method and kind: the counterparty, or the place of a login.
    let scope: PermissionScope?
    /// The last event that was signed here at the same coordinate. Nil when none is known.
    let before: EventTemplate?
    /// Which of the waiting requests can be answered together.
    let batches: Batches
    /// The proof of presence that an approval requires; nil for none.
    var presence: String?

    package init(
      pairing: Pairing?, identityName: String, scope: PermissionScope?, before: EventTemplate?, batches: Batches,
      presence: String? = nil
    ) {
      (self.pairing, self.identityName, self.scope, self.before, self.batches, self.presence) = (
        pairing, identityName, scope, before, batches, presence
      )
    }
  }

  private let request: PendingRequest
  private let surroundings: Surroundings
  private let title: String
  private let page: DescriptionPage

  package init(_ request: PendingRequest, _ surroundings: Surroundings) {
    (self.request, self.surroundings) = (request, surroundings)
    guard request.method == .signEvent else {
      let message = MessageDescription(request)
      (title, page) = (message.title, message.page)
      return
    }
    guard let template = request.parameters.first.flatMap({ try? EventTemplate(parsing: $0) }) else {
      var page = DescriptionPage(identity: request.identity)
      page.warning("What the app sent cannot be read as an event; it will be answered with an error.")
      (title, self.page) = ("Sign something unreadable", page)
      return
    }
    let event = EventDescription(
      template, identity: request.identity, before: surroundings.before, receivedAt: request.receivedAt)
    (title, page) = (event.title, event.page)
  }

  /// What the request would do, in a few words.
  package var shownTitle: String { title }

  /// For a list, without the raw text.
  package var members: [JSONValue.Member] {
    let remembering = Remembering(request, scope: surroundings.scope)
    return [
      .init("id", .string(request.name)), .init("client", client), .init("identity", identity),
      .init("method", .string(request.method.rawValue)), .init("kind", request.kind.map { .integer(Int64($0)) } ?? .null),
      .init("kind_name", request.kind.map { .string(KindName($0).name) } ?? .null), .init("title", .string(title)),
      .init("summary", .string(RequestSummary.text(request))),
      .init("rule", .string(request.rule.name)), .init("reason", .string(request.rule.reason)),
      .init("presence", surroundings.presence.map { .string($0) } ?? .null),
      .init("received", .integer(request.receivedAt)), .init("expires", .integer(request.receivedAt + PendingRequest.lifetime)),
      .init("repeats", .integer(Int64(max(0, request.replies.count - 1)))),
      .init("batch", surroundings.batches.key(of: request).map { .string($0) } ?? .null),
      .init("batch_title", .string(surroundings.batches.title(of: request))),
      .init("parts", .array(page.parts)), .init("offers", .array(remembering.offers.map { .string($0.rawValue) })),
      .init(
        "remember",
        ["permission": .string(remembering.permission.description), "label": .string(remembering.label)]),
    ]
  }

  /// All members.
  package var whole: [JSONValue.Member] {
    let raw = RawText.of(request)
    return members + [.init("raw", .string(raw.text)), .init("raw_truncated", .bool(raw.isCut))]
  }

  private var client: JSONValue {
    let name = surroundings.pairing?.name ?? ""
    return [
      "pubkey": .string(request.client.hex), "signer": .string(request.remoteSigner.hex),
      "name": .string(name.isEmpty ? String(request.client.hex.prefix(8)) : DescriptionPage.line(name)),
      "url": surroundings.pairing?.url.map { .string(DescriptionPage.line($0)) } ?? .null,
    ]
  }

  private var identity: JSONValue {
    .object([.init("name", .string(surroundings.identityName))] + DescriptionPage.members(of: request.identity))
  }
}
