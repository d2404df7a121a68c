package import AuditLog
package import Curve
package import Nostr

extension AuditLog {
  /// Signs for the owner's command. The intent is on the disk before that, and the event's id is in the log when this returns.
  /// - Throws: `AuditLogError` when that cannot be recorded; the event is dropped then. `CurveError`.
  package func signing(_ event: UnsignedEvent, with key: KeyPair) throws -> Event {
    _ = try appendAndWait(.ownerSigns(event))
    let signed = try event.signed(by: key)
    try note(.ownerSigned(signed))
    return signed
  }
}
