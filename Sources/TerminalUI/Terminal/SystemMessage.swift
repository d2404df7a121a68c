import Platform

/// What errno means, in the C library's words.
public func systemMessage(_ code: Int32) -> String {
  var text = [CChar](repeating: 0, count: 256)
  // The XSI form, which Swift imports: it fills the buffer.
  guard strerror_r(code, &text, text.count) == 0 else { return "error \(code)" }
  return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
