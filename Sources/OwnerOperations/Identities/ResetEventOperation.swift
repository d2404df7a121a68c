import AuditLog
import Curve
import Identities
import JSON
import Nostr
import OwnerAPI
import Platform
import RemoteSigning
import Signer
import Vault

extension Operations {
  /// `identity/reset-event`: forgets what was signed of a kind or, if the kind is addressable, of one `d` tag. For a place that
  /// takes no event any more, for example after the clock was years ahead.
  func resetEvent(_ request: IdentityResetEvent.Request) throws -> IdentityResetEvent.Response {
    let identity = try identity(named: request.identity.name)
    guard let kind = Int(exactly: request.kind), EventKind.range.contains(kind) else {
      throw OperationError.usage("“kind” must be a number from 0 to 65535.")
    }
    let name = request.d ?? ""
    let isAddressable = EventKind.isAddressable(kind)
    guard isAddressable || EventKind.isReplaceable(kind) else {
      throw OperationError.usage("Events of kind \(kind) are not replaceable, so there is nothing to reset.")
    }
    guard isAddressable || name.isEmpty else { throw OperationError.usage("Events of kind \(kind) have no “d” tag.") }
    let id = SignedCoordinate.id(identity: identity.publicKey, kind: kind, name: name)
    guard try home.resetCoordinate(id, of: identity.publicKey, kind: kind, now: Clock.seconds) else {
      throw OperationError.notFound(
        "“\(identity.name)” has signed no such event of kind \(kind).",
        hint: "Check the kind and, for kinds 30000 to 39999, the “d” tag.")
    }
    var response = IdentityResetEvent.Response()
    (response.name, response.pubkey) = (identity.name, identity.publicKey.hex)
    (response.kind, response.d) = (Int64(kind), isAddressable ? name : nil)
    return response
  }
}
