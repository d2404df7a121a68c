import Platform

/// logind on the system bus. It reports that the machine is about to sleep and that sessions are locked, and delays sleep for us.
///
/// See systemd, org.freedesktop.login1(5), "Inhibitor locks".
final class LoginService {
  private static let name = "org.freedesktop.login1"
  private static let manager = SessionBus.Party(
    name: name, path: "/org/freedesktop/login1", interface: "org.freedesktop.login1.Manager")

  let bus: SessionBus
  private let holdsUpSleep: Bool
  /// logind's unique name, which the bus gave it. Nil while it does not run.
  private var owner: String?
  /// While this descriptor is open, sleep waits for us, up to logind's InhibitDelayMaxSec.
  private var inhibitor: Int32 = -1

  /// - Parameter holdsUpSleep: whether sleep must wait until the signal has been handled.
  init(_ bus: SessionBus, holdsUpSleep: Bool) throws(BusError) {
    (self.bus, self.holdsUpSleep) = (bus, holdsUpSleep)
    for rule in [
      "type='signal',sender='\(Self.name)',interface='org.freedesktop.login1.Manager',member='PrepareForSleep'",
      "type='signal',sender='\(Self.name)',interface='org.freedesktop.login1.Session',member='Lock'",
      "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',member='NameOwnerChanged',arg0='\(Self.name)'",
    ] { _ = try bus.call(.bus, "AddMatch") { $0.add(rule) } }
    try find()
  }

  deinit { release() }

  /// Whether logind runs.
  var isThere: Bool { owner != nil }

  private func find() throws(BusError) {
    do { owner = try bus.call(.bus, "GetNameOwner") { $0.add(Self.name) }.text() } catch {
      guard error == .refused else { throw error }
      owner = nil  // nobody has that name
    }
    try inhibit()
  }

  // If logind refuses, sleep does not wait, but the signal still comes.
  private func inhibit() throws(BusError) {
    guard holdsUpSleep, owner != nil, inhibitor < 0 else { return }
    do {
      inhibitor =
        try bus.call(Self.manager, "Inhibit") {
          $0.add("sleep") && $0.add("Holdfast") && $0.add("wiping keys before the machine sleeps") && $0.add("delay")
        }.descriptor() ?? -1
    } catch { guard error == .refused else { throw error } }
  }

  private func release() {
    if inhibitor >= 0 { close(inhibitor) }
    inhibitor = -1
  }

  /// Handles a message.
  /// - Parameter heard: returns when the signal has been handled. Sleep waits until then.
  func take(_ message: BusMessage, _ heard: (MachineSignal) -> Void) throws(BusError) {
    if message.isSignal("org.freedesktop.DBus", "NameOwnerChanged") {
      guard message.sender == "org.freedesktop.DBus", message.text() == Self.name else { return }
      release()
      return try find()
    }
    // Any program can send us a signal directly, but only the bus sets the sender's name.
    guard let owner, message.sender == owner else { return }
    if message.isSignal("org.freedesktop.login1.Manager", "PrepareForSleep"), let sleeps = message.flag() {
      guard sleeps else { return try inhibit() }
      heard(.willSleep)
      release()
    } else if message.isSignal("org.freedesktop.login1.Session", "Lock") {
      heard(.desktopLocked)
    }
  }
}
