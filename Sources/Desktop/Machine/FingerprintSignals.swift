/// The fingerprint service on the machine's bus: it came, or somebody enrolled a finger.
///
/// A signal is only a reason to look. Any program can send one directly to us; that costs a look, one for all that came at once.
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

  /// Whether this message is a reason to look.
  func isReason(_ message: BusMessage) -> Bool {
    if message.isSignal("org.freedesktop.DBus", "NameOwnerChanged") {
      // Gone, it is not called back: it ends by itself when nobody uses it.
      guard message.text() == SessionBus.Party.fprint, message.text() != nil else { return false }  // whose, and who had it
      return message.text()?.isEmpty == false  // who has it now
    }
    guard message.isSignal(SessionBus.Party.fprint + ".Device", "EnrollStatus"), message.text() != nil else { return false }
    return message.flag() == true
  }
}
