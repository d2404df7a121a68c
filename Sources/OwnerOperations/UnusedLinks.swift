import AuditLog
import Curve
import OwnerAPI
import OwnerWords
import Platform
import RemoteSigning
import Signer
import Vault

/// Links that no app has used yet: `pair/list` and `pair/cancel`.
extension Operations {
  static let linkHandlers: [OperationHandler] = [
    .init(PairList.self) { operations, _, _ in operations.listLinks() },
    .init(PairCancel.self) { operations, request, _ in try operations.cancelLink(request) },
  ]

  /// The fewest digits that name a link.
  private static let fewestDigits = 4

  private func listLinks() -> PairList.Response {
    var response = PairList.Response()
    response.links = usableLinks.sorted { ($1.madeAt, $1.remoteSigner) < ($0.madeAt, $0.remoteSigner) }.map(describe)
    return response
  }

  private func cancelLink(_ request: PairCancel.Request) throws -> UnusedLink {
    let link = try home.changingPairings {
      let link = try self.link(request.link)
      // First here: from now on no app can claim it.
      guard home.engine.withdraw(link.remoteSigner, now: Clock.seconds) else { throw OperationError.linkIsUsed }
      try home.outbox.recording(
        .event(.settingChanged, identity: link.identity, rule: "a link that no app had used was cancelled")
      ) {
        try home.vault.transaction(home.store.retiring([link.remoteSigner]))
      }
      return link
    }
    home.signerEvents.tell(.clientsChanged)
    return describe(link)
  }

  /// Links that an app could still use.
  var usableLinks: [OpenLink] {
    let now = Clock.seconds
    return home.engine.openLinks.filter { $0.expiresAt > now }
  }

  private func link(_ digits: String) throws -> OpenLink {
    let found = usableLinks.filter { $0.remoteSigner.hex.hasPrefix(digits.lowercased()) }
    guard digits.utf8.count >= Self.fewestDigits, let link = found.first else {
      throw OperationError.notFound("No unused link begins with these digits.", hint: "See: holdfast pair --list")
    }
    guard found.count == 1 else {
      throw OperationError.usage("Several unused links begin with these digits.", hint: "Give more digits.")
    }
    return link
  }

  private func describe(_ link: OpenLink) -> UnusedLink {
    var described = UnusedLink()
    (described.pubkey, described.identity) = (link.remoteSigner.hex, name(ofIdentity: link.identity))
    (described.trust, described.relays) = (Trust(link.trust), link.relays.map(\.text))
    described.name = link.name
    (described.made, described.expires) = (link.madeAt, link.expiresAt)
    return described
  }
}

extension OperationError {
  fileprivate static let linkIsUsed = failed("An app is using this link just now.", hint: "See: holdfast client list")
}
