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
  /// takes no event
  /// any more, for example after the clock was years ahead.
  func resetEvent(_ request: IdentityResetEvent.Request) throws -> IdentityResetEvent.Response {
    let identity = try identity(named: request.identity.name)
    guard let kind = Int(exactly: request.kind), EventKind.range.contains(kind) else {
      throw OperationError.usage("“kind” is a number from 0 to 65535.")
    }
    let name = request.d ?? ""
    let isAddressable = EventKind.isAddressable(kind)
    guard isAddressable || EventKind.isReplaceable(kind) else {
      throw OperationError.usage("Events of kind \(kind) do not replace each other; there is nothing to reset.")
    }
    guard isAddressable || name.isEmpty else { throw OperationError.usage("Kind \(kind) has one place, without a “d” tag.") }
    let id = SignedCoordinate.id(identity: identity.publicKey, kind: kind, name: name)
    guard try home.resetCoordinate(id, of: identity.publicKey, kind: kind, now: Clock.seconds) else {
      throw OperationError.notFound(
        "No event of kind \(kind) was signed there by “\(identity.name)”.", hint: "The “d” tag must be the event's.")
    }
    var response = IdentityResetEvent.Response()
    (response.name, response.pubkey) = (identity.name, identity.publicKey.hex)
    (response.kind, response.d) = (Int64(kind), isAddressable ? name : nil)
    return response
  }
}
