import JSON
import RemoteSigning

/// Exactly what the app sent. Characters that hide or reorder others are shown as JSON escapes, which have the same meaning.
enum RawText {
  /// The longest text that is shown, in bytes.
  static let longest = 1 << 20

  static func of(_ request: PendingRequest) -> (text: String, isCut: Bool) {
    let text =
      request.method == .signEvent && request.parameters.count == 1
      ? String(decoding: request.parameters[0].prefix(longest), as: UTF8.self)
      : String(
        decoding: JSONValue.array(request.parameters.map { .string(String(decoding: $0.prefix(longest), as: UTF8.self)) })
          .serialized(), as: UTF8.self)
    let size = request.parameters.reduce(0) { $0 + $1.count }
    return (escaped(text), size > longest)
  }

  static func escaped(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      // In JSON it can only occur between tokens, where no escape is allowed.
      if scalar == "\r" {
        result.append("\n")
      } else if isShown(scalar) {
        result.append(scalar)
      } else {
        escape(scalar, into: &result)
      }
    }
    return String(result)
  }

  private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.value >= 0x20 && scalar.value != 0x7F || scalar == "\n" || scalar == "\t" }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: return false
    default: return true
    }
  }

  private static func escape(_ scalar: Unicode.Scalar, into result: inout String.UnicodeScalarView) {
    for unit in String(scalar).utf16 {
      let digits = String(unit, radix: 16)
      result.append(contentsOf: ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).unicodeScalars)
    }
  }
}
