import CSystemd
import Platform

/// A connection to the owner's session bus or to the system bus. Belongs to one thread.
final class SessionBus {
  /// How long a call may take, in microseconds. A desktop that hangs delays nothing else.
  static let usualPatience: UInt64 = 3_000_000

  private let patience: UInt64
  let library: BusLibrary
  let bus: OpaquePointer

  /// Which bus.
  enum Kind { case session, system }

  /// Finds the bus in the usual way: `DBUS_SESSION_BUS_ADDRESS`, else the user's runtime folder; `DBUS_SYSTEM_BUS_ADDRESS`, else
  /// the default socket.
  /// - Parameter patience: how long a call may take, in microseconds.
  init(_ kind: Kind = .session, patience: UInt64 = SessionBus.usualPatience) throws(BusError) {
    guard Self.mayBeThere(kind) else { throw .noBus }
    guard let library = BusLibrary.shared else { throw .noLibrary }
    var bus: OpaquePointer?
    let status = kind == .session ? library.functions.open_user(&bus) : library.functions.open_system(&bus)
    guard status >= 0, let bus else { throw .noBus }
    (self.library, self.bus, self.patience) = (library, bus, patience)
  }

  /// A connection to the session bus for calls of others. The bus passes no descriptors to it, of which a caller could send many.
  init(servingWithin patience: UInt64) throws(BusError) {
    guard let address = Self.sessionAddress else { throw .noBus }
    guard let library = BusLibrary.shared else { throw .noLibrary }
    var bus: OpaquePointer?
    guard library.functions.new(&bus) >= 0, let bus else { throw .noBus }
    (self.library, self.bus, self.patience) = (library, bus, patience)
    guard library.functions.set_address(bus, address) >= 0, library.functions.set_bus_client(bus, 1) >= 0,
      library.functions.negotiate_fds(bus, 0) >= 0, library.functions.start(bus) >= 0
    else { throw .noBus }
  }

  deinit { _ = library.functions.flush_close_unref(bus) }

  /// Whether the bus has an address. Where it has none, as on a server, the library is not loaded: it needs 1 MiB of memory.
  static func mayBeThere(_ kind: Kind) -> Bool {
    switch kind {
    case .session: sessionAddress != nil
    case .system: value("DBUS_SYSTEM_BUS_ADDRESS") != nil || access(systemSocket, F_OK) == 0
    }
  }

  private static var sessionAddress: String? {
    if let address = value("DBUS_SESSION_BUS_ADDRESS") { return address }
    guard let socket = value("XDG_RUNTIME_DIR").map({ $0 + "/bus" }), access(socket, F_OK) == 0 else { return nil }
    // As the address writes characters of a path.
    return "unix:path=" + socket.utf8.map(escaped).joined()
  }

  private static func escaped(_ byte: UInt8) -> String {
    let isPlain = byte < 0x80 && Unicode.Scalar(byte).properties.isAlphabetic || (0x2D...0x39).contains(byte) || byte == 0x5F
    return isPlain ? String(Unicode.Scalar(byte)) : "%" + [byte >> 4, byte & 15].map { String($0, radix: 16) }.joined()
  }

  private static func value(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// Where the system bus listens unless it is told otherwise.
  private static let systemSocket = "/run/dbus/system_bus_socket"

  /// A service on the bus.
  struct Party: Sendable {
    let name, path, interface: String
    static let bus = Party(name: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus")
    static let notifications = Party(
      name: "org.freedesktop.Notifications", path: "/org/freedesktop/Notifications", interface: "org.freedesktop.Notifications")
    static let opener = Party(
      name: "org.freedesktop.portal.Desktop", path: "/org/freedesktop/portal/desktop", interface: "org.freedesktop.portal.OpenURI"
    )
  }

  /// Calls a method and waits for the answer.
  /// - Parameter fill: writes the arguments; false when the library refuses one.
  func call(_ party: Party, _ member: String, _ fill: (BusMessage) -> Bool = { _ in true }) throws(BusError) -> BusMessage {
    var refusal: String?
    return try call(party, member, refusal: &refusal, fill)
  }

  /// Calls a method and waits for the answer.
  /// - Parameter refusal: the name of the error in the answer, if there was one.
  func call(
    _ party: Party, _ member: String, refusal: inout String?, _ fill: (BusMessage) -> Bool = { _ in true }
  ) throws(BusError) -> BusMessage {
    var raw: OpaquePointer?
    guard library.functions.message_new_method_call(bus, &raw, party.name, party.path, party.interface, member) >= 0, let raw
    else { throw .closed }
    let message = BusMessage(raw, library)
    guard fill(message) else { throw .refused }
    var (reply, error) = (OpaquePointer?.none, sd_bus_error())
    defer { library.functions.error_free(&error) }
    let status = library.functions.call(bus, message.raw, patience, &error, &reply)
    guard status >= 0, let reply else {
      refusal = error.name.map { String(cString: $0) }
      throw Self.isGone(status) ? .closed : .refused
    }
    return BusMessage(reply, library)
  }

  /// Asks the desktop to open an address. The browser is then a child of the desktop, not of this process, which may be confined.
  /// - Returns: false when no desktop service does that.
  func open(_ address: String) -> Bool {
    (try? call(.opener, "OpenURI") { $0.add("") && $0.add(address) && $0.add("a", "{sv}") { true } }) != nil
  }

  /// Processes what has arrived.
  /// - Returns: the next message; nil when there is none now.
  func next() throws(BusError) -> BusMessage? {
    while true {
      var raw: OpaquePointer?
      let status = library.functions.process(bus, &raw)
      guard status >= 0 else { throw .closed }
      if let raw { return BusMessage(raw, library) }
      if status == 0 { return nil }
    }
  }

  /// Waits until something arrives, or until `waker` is written to.
  /// - Parameter milliseconds: the longest time to wait; negative for no limit.
  func wait(milliseconds: Int32, waker: Int32) {
    var descriptors = [
      descriptor,
      pollfd(fd: waker, events: Int16(POLLIN), revents: 0),
    ]
    _ = poll(&descriptors, 2, milliseconds)
  }

  /// The descriptor and events to poll for.
  var descriptor: pollfd {
    pollfd(
      fd: library.functions.get_fd(bus), events: Int16(truncatingIfNeeded: max(0, library.functions.get_events(bus))), revents: 0)
  }

  // The status codes of sd-bus for a connection that has ended.
  private static func isGone(_ status: Int32) -> Bool { [ENOTCONN, ECONNRESET, EPIPE, ESHUTDOWN].contains(-status) }
}
