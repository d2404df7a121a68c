package import AuditLog
package import Curve
package import Nostr

extension AuditLog {
  /// Signs by the owner's command. That it will be signed is on the disk before, and the event's id is in the log when this returns.
  /// - Throws: `AuditLogError` where that cannot be recorded: then nobody has the event. `CurveError`.
  package func signing(_ event: UnsignedEvent, with key: KeyPair) throws -> Event {
    _ = try appendAndWait(.ownerSigns(event))
    let signed = try event.signed(by: key)
    try note(.ownerSigned(signed))
    return signed
  }
}
