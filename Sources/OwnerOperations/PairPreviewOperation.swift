import Curve
import Identities
import OwnerAPI
import OwnerWords
import Platform
import RemoteSigning
import RequestPreview
import Signer
import Sockets

/// What an app's link would do: `pair/preview`. Nothing is stored, and nobody is asked.
extension Operations {
  static let previewHandlers: [OperationHandler] = [
    .init(PairPreview.self) { operations, request, _ in try operations.previewLink(request) }
  ]

  private func previewLink(_ request: PairPreview.Request) throws -> PairPreview.Response {
    let uri = try Self.link(request.uri)
    let identity = try usedIdentity(named: request.identity)
    let settings = home.engine.policySettings
    var response = PairPreview.Response()
    let earlier = pairing(of: uri, with: identity)
    (response.client, response.identity, response.trust) = (uri.client.hex, identity.name, Trust(firstTrust(earlier)))
    (response.name, response.url) = (uri.metadata.name, uri.metadata.url.map(DescriptionPage.line))
    response.relays = uri.relays.map(describe)
    response.permissions = uri.permissions.filter { !$0.method.isAlwaysAllowed }.map { wanted($0, settings, identity.publicKey) }
    (response.pairedAs, response.revokedAt) = (earlier?.name, earlier == nil ? home.revokedAt(uri.client) : nil)
    return response
  }

  private func describe(_ relay: RelayURL) -> LinkRelay {
    var described = LinkRelay()
    described.url = DescriptionPage.line(relay.text)
    described.isKnown = running?.linkRelays.contains(relay) ?? false
    described.isInside = (try? WebSocketURL(parsing: relay.text))?.isInsideAsWritten == true
    return described
  }

  private func wanted(_ permission: Permission, _ settings: PolicySettings, _ identity: PublicKey) -> WantedPermission {
    func verdict(_ trust: TrustLevel) -> Verdict {
      Verdict(
        Policy.decision(
          for: .example(of: permission), under: Grant(trust: trust), at: Clock.seconds, in: .init(settings: settings)
        ).verdict)
    }
    var wanted = WantedPermission()
    wanted.permission = permission.description
    (wanted.full, wanted.medium, wanted.low) = (verdict(.full), verdict(.medium), verdict(.low))
    wanted.isAllowable = Grant.offers(for: permission, of: identity).contains { $0 != .once }
    return wanted
  }
}
