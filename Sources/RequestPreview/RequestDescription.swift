import Curve
package import Nostr
package import RemoteSigning

/// What is known of an event that a request would replace and that was not signed here.
package enum Lookup: Sendable, Equatable {
  /// Nobody looked.
  case none
  /// Relays are being asked.
  case searching
  /// It is as the owner's relays have it.
  case found
  /// No relay of the owner's has one, or he has no relay.
  case nothing
}

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
    /// Where `before` is from, if not from here.
    let lookup: Lookup
    /// Which of the waiting requests can be answered together.
    let batches: Batches
    /// The kinds of the profile and lists that it would delete.
    let deletedLists: Set<Int>

    /// - Parameter facts: what the rules know of the request; nil if they cannot be asked.
    package init(
      pairing: Pairing?, identityName: String, facts: RequestFacts?, before: EventTemplate?, batches: Batches,
      lookup: Lookup = .none
    ) {
      (self.pairing, self.identityName, self.before, self.batches) = (pairing, identityName, before, batches)
      (scope, deletedLists) = (facts?.scope, facts?.deletedLists ?? [])
      self.lookup = lookup
    }
  }

  /// What waits.
  package let request: PendingRequest
  /// What it would do, in a few words.
  package let title: String
  /// What a new profile comes to; nil for an everyday change, and for all else.
  package let replacementEffect: ReplacementEffect?
  private let surroundings: Surroundings
  private var page: DescriptionPage

  package init(_ request: PendingRequest, _ surroundings: Surroundings) {
    (self.request, self.surroundings) = (request, surroundings)
    (title, page, replacementEffect) = Self.described(request, surroundings)
    if let pairing = surroundings.pairing, let caller = pairing.caller {
      page.caller(caller, isFirstUse: pairing.grant.isFirstUse)
    }
  }

  private static func described(
    _ request: PendingRequest, _ surroundings: Surroundings
  ) -> (String, DescriptionPage, ReplacementEffect?) {
    switch request.method {
    case .signEvent: break
    case .getPublicKey:
      return (RequestTitle.words(.getPublicKey, kind: nil, nil) ?? "", Self.learning(request), nil)
    default:
      let message = MessageDescription(request)
      return (message.title, message.page, nil)
    }
    guard let template = request.parameters.first.flatMap({ try? EventTemplate(parsing: $0) }) else {
      var page = DescriptionPage(identity: request.identity)
      page.warning("The app sent something that is not an event. It will get an error.")
      return (RequestTitle.unreadable, page, nil)
    }
    let event = EventDescription(
      template, identity: request.identity, before: surroundings.before, lookup: surroundings.lookup,
      receivedAt: request.receivedAt, deletedLists: surroundings.deletedLists)
    var page = event.page
    if let author = template.pubkey, ![request.identity, request.remoteSigner, request.client].contains(author) {
      page.warning("The event names another author than this identity. It is not signed: the answer is an error.")
    }
    return (event.title, page, event.replacementEffect)
  }

  private static func learning(_ request: PendingRequest) -> DescriptionPage {
    var page = DescriptionPage(identity: request.identity)
    if request.isInVain {
      page.warning(
        "It named an identity that this signer does not have. If you approve, it is let in for this one, and gets an error.")
    }
    return page
  }

  /// What it would do, in one line with the app's own text.
  package var summary: String { RequestSummary.text(request) }

  /// What it would do, part by part in reading order.
  package var parts: [DescriptionPart] { page.parts }

  /// What events of its kind are called. Nil where nothing is to be signed.
  package var kindName: String? { request.kind.map { KindName($0).name } }

  /// What the app is called, or the first digits of its key.
  package var clientName: String {
    let name = surroundings.pairing?.name ?? ""
    return name.isEmpty ? String(request.client.hex.prefix(8)) : DescriptionPage.line(name)
  }

  /// The address that the app gave; nobody checked it.
  package var clientAddress: String? { surroundings.pairing?.url.map(DescriptionPage.line) }

  /// What asks from this machine: “site https://example.com”. Nil for an app that asks over relays.
  package var clientPlace: String? {
    surroundings.pairing?.caller.map { caller in
      let place = DescriptionPage.line(caller.place)
      return switch caller {
      case .program: "program \(place)"
      case .site: "site \(place)"
      case .link: "links with answers to \(place)"
      }
    }
  }

  /// The name of the identity whose key it would use.
  package var identityName: String { surroundings.identityName }

  /// Alike for requests that can be answered together; nil for one that is looked at alone.
  package var batch: String? { surroundings.batches.key(of: request) }

  /// What the requests of its batch are together, as “12 likes”.
  package var batchTitle: String { surroundings.batches.title(of: request) }

  /// What of an answer can be remembered.
  package var remembering: Remembering {
    Remembering(request, scope: surroundings.scope, deletesList: !surroundings.deletedLists.isEmpty)
  }

  /// What the app sent, with hidden characters as JSON escapes, and whether that was more than is shown.
  package var raw: (text: String, isCut: Bool) { RawText.of(request) }
}
