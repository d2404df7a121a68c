import Platform

/// logind on the machine's bus: says that the machine goes to sleep and that sessions are locked, and waits for us before it sleeps.
///
/// See systemd, org.freedesktop.login1(5), "Inhibitor locks".
final class LoginService {
  private static let name = "org.freedesktop.login1"
  private static let manager = SessionBus.Party(
    name: name, path: "/org/freedesktop/login1", interface: "org.freedesktop.login1.Manager")

  let bus: SessionBus
  private let holdsUpSleep: Bool
  /// Who logind is, by the unique name that the bus gave it; nil while it does not run.
  private var owner: String?
  /// While it is open, the machine's sleep waits for us, up to logind's InhibitDelayMaxSec.
  private var inhibitor: Int32 = -1

  /// - Parameter holdsUpSleep: whether sleep is to wait until what must go is gone.
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

  /// Whether it is there.
  var isThere: Bool { owner != nil }

  private func find() throws(BusError) {
    do { owner = try bus.call(.bus, "GetNameOwner") { $0.add(Self.name) }.text() } catch {
      guard error == .refused else { throw error }
      owner = nil  // nobody has that name
    }
    try inhibit()
  }

  // Where it is refused, sleep does not wait; the signal still comes.
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

  /// Takes a message in.
  /// - Parameter heard: returns when what must go is gone; sleep is held up until then.
  func take(_ message: BusMessage, _ heard: (MachineSignal) -> Void) throws(BusError) {
    if message.isSignal("org.freedesktop.DBus", "NameOwnerChanged") {
      guard message.sender == "org.freedesktop.DBus", message.text() == Self.name else { return }
      release()
      return try find()
    }
    // Any program can send us any signal directly; only the sender's name is written by the bus.
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
