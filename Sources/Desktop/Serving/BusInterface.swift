/// What an object on the bus can do, for its callers and for introspection (D-Bus Specification, "Introspection Data Format").
package struct BusInterface: Sendable {
  /// An argument by its name and type.
  package typealias Argument = (name: String, type: String)

  package struct Method: Sendable {
    let name: String
    let takes, gives: [Argument]

    package init(_ name: String, takes: [Argument] = [], gives: [Argument] = []) {
      (self.name, self.takes, self.gives) = (name, takes, gives)
    }

    var signature: String { takes.map(\.type).joined() }
  }

  package struct Signal: Sendable {
    let name: String
    let carries: [Argument]

    package init(_ name: String, _ carries: [Argument] = []) { (self.name, self.carries) = (name, carries) }
  }

  package let name: String
  let methods: [Method]
  /// Read-only.
  let properties: [Argument]
  let signals: [Signal]

  package init(_ name: String, methods: [Method] = [], properties: [Argument] = [], signals: [Signal] = []) {
    (self.name, self.methods, self.properties, self.signals) = (name, methods, properties, signals)
  }

  func method(_ name: String) -> Method? { methods.first { $0.name == name } }

  var xml: String {
    let methods = methods.map { method in
      let arguments =
        method.takes.map { argument($0, "in") } + method.gives.map { argument($0, "out") }
      return element("method", method.name, arguments)
    }
    let signals = signals.map { signal in element("signal", signal.name, signal.carries.map { argument($0, nil) }) }
    let properties = properties.map { "  <property name=\"\($0.name)\" type=\"\($0.type)\" access=\"read\"/>" }
    return "<interface name=\"\(name)\">\n" + (methods + properties + signals).joined(separator: "\n") + "\n</interface>\n"
  }

  private func element(_ kind: String, _ name: String, _ contents: [String]) -> String {
    guard !contents.isEmpty else { return "  <\(kind) name=\"\(name)\"/>" }
    return "  <\(kind) name=\"\(name)\">\n" + contents.joined(separator: "\n") + "\n  </\(kind)>"
  }

  private func argument(_ argument: Argument, _ direction: String?) -> String {
    let direction = direction.map { " direction=\"\($0)\"" } ?? ""
    return "    <arg name=\"\(argument.name)\" type=\"\(argument.type)\"\(direction)/>"
  }
}

extension BusInterface {
  /// What every object can do.
  static let standard = [
    BusInterface(
      "org.freedesktop.DBus.Introspectable", methods: [Method("Introspect", gives: [("xml", "s")])]),
    BusInterface(
      properties,
      methods: [
        Method("Get", takes: [("interface", "s"), ("property", "s")], gives: [("value", "v")]),
        Method("GetAll", takes: [("interface", "s")], gives: [("values", "a{sv}")]),
        Method("Set", takes: [("interface", "s"), ("property", "s"), ("value", "v")]),
      ],
      signals: [Signal("PropertiesChanged", [("interface", "s"), ("changed", "a{sv}"), ("invalidated", "as")])]),
    BusInterface("org.freedesktop.DBus.Peer", methods: [Method("Ping")]),
  ]

  static let properties = "org.freedesktop.DBus.Properties"
}
