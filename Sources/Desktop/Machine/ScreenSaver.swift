/// The screen saver of the owner's desktop, under its freedesktop.org and GNOME names.
///
/// The sender of the signal is not checked. A program of the owner's session that forges one can lock the session, which it can
/// also do by calling the screen saver itself.
final class ScreenSaver {
  private static let interfaces = ["org.freedesktop.ScreenSaver", "org.gnome.ScreenSaver"]

  let bus: SessionBus

  init(_ bus: SessionBus) throws(BusError) {
    self.bus = bus
    for interface in Self.interfaces {
      _ = try bus.call(.bus, "AddMatch") { $0.add("type='signal',interface='\(interface)',member='ActiveChanged'") }
    }
  }

  func take(_ message: BusMessage, _ heard: (MachineSignal) -> Void) {
    guard Self.interfaces.contains(where: { message.isSignal($0, "ActiveChanged") }), message.flag() == true else { return }
    heard(.desktopLocked)
  }
}
