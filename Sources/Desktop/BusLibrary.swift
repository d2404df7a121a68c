import CSystemd
import Platform

/// sd-bus, loaded at first use.
final class BusLibrary: Sendable {
  /// Nil when it is not installed.
  static let shared = BusLibrary()

  let functions: holdfast_bus

  private init?() {
    var functions = holdfast_bus()
    guard holdfast_bus_load(&functions) == 1 else { return nil }
    self.functions = functions
  }
}

/// Why the desktop cannot be reached.
enum BusError: Error, Equatable {
  case noLibrary, noBus
  /// No service answered, or it answered with an error.
  case refused
  /// The connection has ended.
  case closed
}

/// One message of the bus, freed with its owner.
final class BusMessage {
  let raw: OpaquePointer
  let library: BusLibrary

  init(_ raw: OpaquePointer, _ library: BusLibrary) { (self.raw, self.library) = (raw, library) }

  deinit { _ = library.functions.message_unref(raw) }

  /// The unique name of the sender. The bus sets it, not the sender.
  var sender: String? { library.functions.message_get_sender(raw).map { String(cString: $0) } }

  func isSignal(_ interface: String, _ member: String) -> Bool { library.functions.message_is_signal(raw, interface, member) > 0 }

  // MARK: reading; nil for anything that is not there

  func number() -> UInt32? {
    var value: UInt32 = 0
    return library.functions.message_read_basic(raw, Self.code("u"), &value) > 0 ? value : nil
  }

  func flag() -> Bool? {
    var value: Int32 = 0
    return library.functions.message_read_basic(raw, Self.code("b"), &value) > 0 ? value != 0 : nil
  }

  /// A duplicate of a descriptor, which the caller must close.
  func descriptor() -> Int32? {
    var value: Int32 = -1
    guard library.functions.message_read_basic(raw, Self.code("h"), &value) > 0, value >= 0 else { return nil }
    let copy = fcntl(value, F_DUPFD_CLOEXEC, 3)
    return copy >= 0 ? copy : nil
  }

  func text() -> String? {
    var value: UnsafePointer<CChar>?
    guard library.functions.message_read_basic(raw, Self.code("s"), &value) > 0, let value else { return nil }
    return String(cString: value)
  }

  /// - Parameter limit: the most texts that are read.
  func texts(limit: Int) -> [String] {
    guard library.functions.message_enter_container(raw, Self.code("a"), "s") > 0 else { return [] }
    var list: [String] = []
    while list.count < limit, let next = text() { list.append(next) }
    _ = library.functions.message_exit_container(raw)
    return list
  }

  /// Object paths.
  /// - Returns: nil when it is not a list of paths, or too long.
  func paths(limit: Int) -> [String]? {
    guard library.functions.message_enter_container(raw, Self.code("a"), "o") > 0 else { return nil }
    var list: [String] = []
    var value: UnsafePointer<CChar>?
    while library.functions.message_read_basic(raw, Self.code("o"), &value) > 0, let path = value {
      guard list.count < limit else { return nil }
      list.append(String(cString: path))
    }
    return list
  }

  /// A text inside a variant, as in a property.
  func textInVariant() -> String? {
    guard library.functions.message_enter_container(raw, Self.code("v"), "s") > 0 else { return nil }
    return text()
  }

  // MARK: writing; false when the library refuses

  func add(_ value: String) -> Bool { value.withCString { library.functions.message_append_basic(raw, Self.code("s"), $0) >= 0 } }

  func add(_ value: UInt32) -> Bool {
    withUnsafePointer(to: value) { library.functions.message_append_basic(raw, Self.code("u"), $0) >= 0 }
  }

  func add(_ value: Int32) -> Bool {
    withUnsafePointer(to: value) { library.functions.message_append_basic(raw, Self.code("i"), $0) >= 0 }
  }

  func add(_ value: UInt8) -> Bool {
    withUnsafePointer(to: value) { library.functions.message_append_basic(raw, Self.code("y"), $0) >= 0 }
  }

  /// - Parameters:
  ///   - kind: `a`, `v` or `e`.
  ///   - contents: their signature.
  func add(_ kind: Unicode.Scalar, _ contents: String, _ fill: () -> Bool) -> Bool {
    library.functions.message_open_container(raw, Self.code(kind), contents) >= 0 && fill()
      && library.functions.message_close_container(raw) >= 0
  }

  static func code(_ letter: Unicode.Scalar) -> CChar { CChar(truncatingIfNeeded: letter.value) }
}
