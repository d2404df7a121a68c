/// An object that Holdfast offers on the bus.
package struct BusObject: Sendable {
  package let path: String
  let interfaces: [BusInterface]
  let property: @Sendable (_ interface: String, _ name: String) -> BusValue?
  let call: @Sendable (BusCall) -> Void

  /// - Parameters:
  ///   - property: the value of a property that an interface names.
  ///   - call: takes calls of methods that an interface names, with arguments of the right types, on the host's thread. Each must be
  ///     answered by `BusHost.answer`, at any time, or forgotten.
  package init(
    path: String, interfaces: [BusInterface],
    property: @escaping @Sendable (_ interface: String, _ name: String) -> BusValue? = { _, _ in nil },
    call: @escaping @Sendable (BusCall) -> Void
  ) { (self.path, self.interfaces, self.property, self.call) = (path, interfaces, property, call) }

  /// What the object answers without its owner: which methods and properties there are.
  /// - Returns: nil for a call that its owner must answer.
  func standardAnswer(_ call: BusCall) -> BusAnswer? {
    switch (call.interface, call.member) {
    case ("org.freedesktop.DBus.Introspectable", "Introspect"): .success([.text(introspection)])
    case ("org.freedesktop.DBus.Peer", "Ping"): .success([])
    case (BusInterface.properties, "Get"): get(call.values[0].text ?? "", call.values[1].text ?? "")
    case (BusInterface.properties, "GetAll"): getAll(call.values[0].text ?? "")
    case (BusInterface.properties, "Set"): .failure(.readOnly)
    default: nil
    }
  }

  /// The method that a call means. An interface may be left out.
  func method(of interface: String?, _ member: String) -> (interface: String, method: BusInterface.Method)? {
    for one in interfaces + BusInterface.standard where interface == nil || interface == one.name {
      if let method = one.method(member) { return (one.name, method) }
    }
    return nil
  }

  private func get(_ interface: String, _ name: String) -> BusAnswer {
    guard interfaces.contains(where: { $0.name == interface && $0.properties.contains { $0.name == name } }),
      let value = property(interface, name)
    else { return .failure(.noProperty) }
    return .success([.variant(value)])
  }

  private func getAll(_ interface: String) -> BusAnswer {
    let names = interfaces.first { $0.name == interface }?.properties.map(\.name) ?? []
    return .success([.dictionary(names.compactMap { name in property(interface, name).map { (name, $0) } })])
  }

  private var introspection: String { Self.node((interfaces + BusInterface.standard).map(\.xml).joined()) }

  /// What introspection says of a path above objects: where to look next.
  /// - Returns: nil when no object is below it.
  static func introspection(of path: String, above objects: [BusObject]) -> String? {
    let start = path.hasSuffix("/") ? path : path + "/"
    let next = objects.compactMap { object in
      object.path.hasPrefix(start) ? object.path.dropFirst(start.count).split(separator: "/").first : nil
    }
    return next.isEmpty ? nil : node(Set(next).sorted().map { "<node name=\"\($0)\"/>\n" }.joined())
  }

  private static func node(_ contents: String) -> String {
    let header = """
      <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN" \
      "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">

      """
    return header + "<node>\n" + contents + "</node>\n"
  }
}

/// A call of a method.
package struct BusCall: Sendable {
  /// Names it for the answer.
  package let number: UInt64
  /// The unique name of the caller's connection. The bus sets it, not the caller.
  package let sender: String
  package let interface, member: String
  package let values: [BusValue]
}

/// What a call gives.
package typealias BusAnswer = Result<[BusValue], BusFault>

/// An error as an answer.
package struct BusFault: Error, Hashable {
  /// The error's name on the bus, as `org.freedesktop.DBus.Error.Failed`.
  package let name: String
  /// For people.
  package let message: String

  package init(_ name: String, _ message: String) { (self.name, self.message) = (name, message) }

  static let readOnly = BusFault("org.freedesktop.DBus.Error.PropertyReadOnly", "This property cannot be set.")
  static let noProperty = BusFault("org.freedesktop.DBus.Error.UnknownProperty", "There is no property of this name.")
  static let noObject = BusFault("org.freedesktop.DBus.Error.UnknownObject", "There is no object at this path.")
  static let noMethod = BusFault("org.freedesktop.DBus.Error.UnknownMethod", "There is no method of this name.")
  static let wrongTypes = BusFault(
    "org.freedesktop.DBus.Error.InvalidArgs", "The arguments are not of this method's types. To see them, introspect the object.")
  static let tooLarge = BusFault("org.freedesktop.DBus.Error.LimitsExceeded", "The arguments are too long, or too many.")
  static let notCarried = BusFault(
    "org.freedesktop.DBus.Error.LimitsExceeded",
    "The bus cannot carry this answer: it is too long, or a text in it has a zero byte.")
  static let gone = BusFault("org.freedesktop.DBus.Error.Disconnected", "The connection to the bus has ended.")
}

/// A signal of somebody on the bus.
package struct BusSignal: Sendable {
  /// The unique name of the sender, or `org.freedesktop.DBus`. The bus sets it, not the sender.
  package let sender: String
  package let interface, member: String
  package let values: [BusValue]
}
