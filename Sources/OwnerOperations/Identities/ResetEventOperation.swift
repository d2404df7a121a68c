internal import AuditLog
internal import Curve
internal import Identities
internal import JSON
internal import Nostr
internal import OwnerAPI
internal import Platform
internal import RemoteSigning
internal import Signer
internal import Vault

extension Operations {
  /// `identity/reset-event`: forgets what was signed of a kind, and where the kind has many places, of one `d` tag. For a place that
  /// takes no event any more, as after a clock that was years ahead.
  func resetEvent(_ given: Parameters) throws -> JSONValue {
    let identity = try identity(named: given.text("name"))
    guard let kind = try given.optionalInteger("kind").flatMap({ Int(exactly: $0) }), EventKind.range.contains(kind) else {
      throw OperationError.usage("“kind” is a number from 0 to 65535.")
    }
    let name = try given.optionalText("d") ?? ""
    let isAddressable = EventKind.isAddressable(kind)
    guard isAddressable || EventKind.isReplaceable(kind) else {
      throw OperationError.usage("Events of kind \(kind) do not replace each other; there is nothing to reset.")
    }
    guard isAddressable || name.isEmpty else { throw OperationError.usage("Kind \(kind) has one place, without a “d” tag.") }
    let id = SignedCoordinate.id(identity: identity.publicKey, kind: kind, name: name)
    guard try core.resetCoordinate(id, of: identity.publicKey, kind: kind, now: Clock.seconds) else {
      throw OperationError.notFound(
        "No event of kind \(kind) was signed there by “\(identity.name)”.", hint: "The “d” tag must be the event's.")
    }
    return .object([
      .init("name", .string(identity.name)), .init("pubkey", .string(identity.publicKey.hex)),
      .init("kind", .integer(Int64(kind))), .init("d", isAddressable ? .string(name) : .null), .init("reset", .bool(true)),
    ])
  }
}
