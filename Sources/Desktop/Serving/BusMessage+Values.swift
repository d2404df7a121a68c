import CSystemd
import Platform

extension BusMessage {
  /// The most values that are read of one message, those inside others included, and how deep they may lie.
  static let (mostValues, deepest) = (4_096, 8)
  /// The most bytes of all texts of one message.
  static let mostTextBytes = 8 << 20

  /// All values of the message.
  /// - Returns: nil when they exceed a limit, or when one is of another type than `BusValue` has.
  func values() -> [BusValue]? {
    var left = (values: Self.mostValues, textBytes: Self.mostTextBytes)
    return values(depth: 0, &left)
  }

  private typealias Left = (values: Int, textBytes: Int)

  private func values(depth: Int, _ left: inout Left) -> [BusValue]? {
    guard depth <= Self.deepest else { return nil }
    var list: [BusValue] = []
    while true {
      var (type, contents) = (CChar(0), UnsafePointer<CChar>?.none)
      let status = library.functions.message_peek_type(raw, &type, &contents)
      guard status > 0 else { return status == 0 ? list : nil }
      left.values -= 1
      let kind = Unicode.Scalar(UInt8(bitPattern: type))
      guard left.values >= 0, let value = value(kind, contents.map { String(cString: $0) } ?? "", depth, &left) else {
        return nil
      }
      list.append(value)
    }
  }

  private func value(_ kind: Unicode.Scalar, _ contents: String, _ depth: Int, _ left: inout Left) -> BusValue? {
    switch kind {
    case "s": return text("s", &left.textBytes).map { .text($0) }
    case "o": return text("o", &left.textBytes).map { .path($0) }
    case "b": return flag().map { .flag($0) }
    case "u": return number().map { .uint32($0) }
    case "i": return basic("i", Int32(0)).map { .int32($0) }
    case "y": return basic("y", UInt8(0)).map { .byte($0) }
    case "a", "r", "e", "v":
      guard library.functions.message_enter_container(raw, Self.code(kind), contents) > 0,
        let inner = values(depth: depth + 1, &left), library.functions.message_exit_container(raw) >= 0
      else { return nil }
      return Self.container(kind, contents, inner)
    default: return nil
    }
  }

  private static func container(_ kind: Unicode.Scalar, _ contents: String, _ inner: [BusValue]) -> BusValue? {
    switch kind {
    case "a": .array(of: contents, inner)
    case "r": .structure(inner)
    case "e": inner.count == 2 ? .entry(inner[0], inner[1]) : nil
    default: inner.count == 1 ? .variant(inner[0]) : nil
    }
  }

  private func basic<Value: BitwiseCopyable>(_ kind: Unicode.Scalar, _ start: Value) -> Value? {
    var value = start
    return library.functions.message_read_basic(raw, Self.code(kind), &value) > 0 ? value : nil
  }

  private func text(_ kind: Unicode.Scalar, _ left: inout Int) -> String? {
    guard let start = basic(kind, UnsafePointer<CChar>?.none).flatMap({ $0 }) else { return nil }
    left -= strlen(start)
    return left >= 0 ? String(cString: start) : nil
  }

  /// - Returns: false when the library refuses, as for a text with a zero byte.
  func add(_ value: BusValue) -> Bool {
    switch value {
    case .text(let text): !text.utf8.contains(0) && add(text)
    case .path(let path): path.withCString { library.functions.message_append_basic(raw, Self.code("o"), $0) >= 0 }
    case .flag(let flag):
      withUnsafePointer(to: Int32(flag ? 1 : 0)) { library.functions.message_append_basic(raw, Self.code("b"), $0) >= 0 }
    case .byte(let byte): add(byte)
    case .int32(let number): add(number)
    case .uint32(let number): add(number)
    case .bytes(let bytes):
      bytes.withUnsafeBytes { library.functions.message_append_array(raw, Self.code("y"), $0.baseAddress, $0.count) >= 0 }
    case .array(let element, let values): add("a", element) { values.allSatisfy(add) }
    case .structure(let values): add("r", values.map(\.signature).joined()) { values.allSatisfy(add) }
    case .entry(let key, let inner): add("e", key.signature + inner.signature) { add(key) && add(inner) }
    case .variant(let inner): add("v", inner.signature) { add(inner) }
    }
  }
}
