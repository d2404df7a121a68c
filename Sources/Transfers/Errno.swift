import Platform

/// The system's words for its error numbers.
enum Errno {
  static func text(_ code: Int32) -> String { String(cString: strerror(code)) }
}
