/// Signals on the system bus that the fingerprint service started or that somebody enrolled a finger.
///
/// A signal only causes the fingers to be read again. Any program can send us one directly; that costs one reading for all
/// signals that came together.
final class FingerprintSignals {
  let bus: SessionBus

  init(_ bus: SessionBus) throws(BusError) {
    self.bus = bus
    let name = SessionBus.Party.fprint
    for rule in [
      "type='signal',sender='\(name)',interface='\(name).Device',member='EnrollStatus'",
      "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',member='NameOwnerChanged',arg0='\(name)'",
    ] { _ = try bus.call(.bus, "AddMatch") { $0.add(rule) } }
  }

  /// Whether the message is a reason to read the fingers again.
  func isReason(_ message: BusMessage) -> Bool {
    if message.isSignal("org.freedesktop.DBus", "NameOwnerChanged") {
      // When the service has gone it is not restarted: it ends by itself when nobody uses it.
      guard message.text() == SessionBus.Party.fprint, message.text() != nil else { return false }  // name, previous owner
      return message.text()?.isEmpty == false  // its new owner
    }
    guard message.isSignal(SessionBus.Party.fprint + ".Device", "EnrollStatus"), message.text() != nil else { return false }
    return message.flag() == true
  }
}
