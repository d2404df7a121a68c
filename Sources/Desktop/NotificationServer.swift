/// The desktop's notification service (Desktop Notifications Specification 1.2), over one connection.
struct NotificationServer {
  /// A signal of the desktop.
  enum Signal: Equatable {
    case pressed(UInt32, action: String)
    case closed(UInt32)
    /// Another program shows notifications now, or none does.
    case replaced
  }

  /// The most capabilities that are read.
  private static let mostCapabilities = 64

  let bus: SessionBus
  /// The unique name of the program that shows notifications. The bus gave it the name. Nil while none is known.
  private(set) var owner: String?
  private var capabilities: Set<String>?

  /// Asks the bus to pass on the desktop's signals.
  init(_ bus: SessionBus) throws(BusError) {
    self.bus = bus
    for rule in [
      "type='signal',sender='org.freedesktop.Notifications',interface='org.freedesktop.Notifications'",
      "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',member='NameOwnerChanged',"
        + "arg0='org.freedesktop.Notifications'",
    ] {
      _ = try bus.call(.bus, "AddMatch") { $0.add(rule) }
    }
  }

  /// - Returns: the number of the notification, and whether it comes from another program than the previous ones.
  mutating func show(
    _ notice: DesktopNotice, replacing number: UInt32
  ) throws(BusError) -> (number: UInt32, isOfAnother: Bool) {
    let can = try knownCapabilities()
    let body = can.contains("body-markup") ? Markup.escaped(notice.body) : notice.body
    let actions = can.contains("actions") ? notice.actions : []
    let reply = try bus.call(.notifications, "Notify") { message in
      message.add("Holdfast") && message.add(number) && message.add("dialog-password") && message.add(notice.title)
        && message.add(body)
        && message.add("a", "s") { actions.allSatisfy { message.add($0.key) && message.add($0.label) } }
        && message.add("a", "{sv}") {
          Self.hint(message, "urgency") { $0.add("v", "y") { message.add(UInt8(notice.isCritical ? 2 : 1)) } }
        }
        && message.add(Int32(0))  // stays until it is answered or closed
    }
    guard let shown = reply.number(), shown > 0 else { throw .refused }
    let isOfAnother = owner != nil && owner != reply.sender
    owner = reply.sender
    return (shown, isOfAnother)
  }

  private static func hint(_ message: BusMessage, _ name: String, _ value: (BusMessage) -> Bool) -> Bool {
    message.add("e", "sv") { message.add(name) && value(message) }
  }

  func close(_ number: UInt32) throws(BusError) {
    do { _ = try bus.call(.notifications, "CloseNotification") { $0.add(number) } } catch {
      guard error == .refused else { throw error }  // already gone
    }
  }

  private mutating func knownCapabilities() throws(BusError) -> Set<String> {
    if let capabilities { return capabilities }
    let reply = try bus.call(.notifications, "GetCapabilities")
    let found = Set(reply.texts(limit: Self.mostCapabilities))
    capabilities = found
    return found
  }

  /// The signal in a message from the right sender. Any program can send us a signal directly, but only the bus sets the sender's
  /// name.
  mutating func signal(in message: BusMessage) -> Signal? {
    if message.isSignal("org.freedesktop.DBus", "NameOwnerChanged") {
      guard message.sender == "org.freedesktop.DBus", message.text() == SessionBus.Party.notifications.name,
        message.text() != nil,
        let new = message.text(), new != owner ?? ""
      else { return nil }
      (owner, capabilities) = (new.isEmpty ? nil : new, nil)
      return .replaced
    }
    guard let owner, message.sender == owner else { return nil }
    if message.isSignal("org.freedesktop.Notifications", "ActionInvoked") {
      guard let number = message.number(), let action = message.text() else { return nil }
      return .pressed(number, action: action)
    }
    if message.isSignal("org.freedesktop.Notifications", "NotificationClosed") { return message.number().map { .closed($0) } }
    return nil
  }
}

/// The markup that notification bodies may contain.
enum Markup {
  /// Escapes a text so that it is shown unchanged.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
