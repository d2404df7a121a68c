import Platform

/// Reads what is no secret from standard input.
public enum PlainInput {
  /// Reads to the end.
  /// - Returns: nil when there is more than `limit` bytes, or nothing can be read.
  public static func all(limit: Int, from descriptor: Int32 = 0) -> [UInt8]? {
    LingeringQuiet.end()
    var bytes: [UInt8] = []
    var space = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = read(descriptor, &space, space.count)
      if count < 0 && errno == EINTR { continue }
      if count == 0 { return bytes }
      guard count > 0, bytes.count + count <= limit else { return nil }
      bytes += space[..<count]
    }
  }

  /// Asks a yes-or-no question on the terminal that standard input is.
  /// - Returns: whether the line typed is `y` or `yes`.
  public static func confirms(_ question: String) -> Bool {
    ask(question + " [y/N]")
    return ["y", "yes"].contains(typedLine(limit: 16).lowercased())
  }

  /// Asks for a few words on the terminal that standard input is. They are typed after the question and a space.
  /// - Returns: the line typed, without the line break and the spaces at its ends; at most `limit` bytes are read of it.
  public static func line(_ question: String, limit: Int = 64) -> String {
    ask(question)
    let words = typedLine(limit: limit).drop { $0.isWhitespace }
    return String(words.prefix(upTo: words.lastIndex { !$0.isWhitespace }.map(words.index(after:)) ?? words.startIndex))
  }

  /// One line that was typed without a question.
  /// - Returns: nil at the end of the input; at most `limit` bytes are read of it.
  public static func typed(limit: Int = 64) -> String? {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    var isEnd = true
    while read(STDIN_FILENO, &byte, 1) == 1 {
      isEnd = false
      guard byte != 0x0A else { break }
      if line.count < limit { line.append(byte) }
    }
    return isEnd ? nil : String(decoding: line, as: UTF8.self)
  }

  /// The question with its long lines broken between words; what is typed follows it after a space.
  private static func ask(_ question: String) {
    LingeringQuiet.end()
    Output.write(Array((broken(question, width: Terminal.columns(STDERR_FILENO)) + " ").utf8), to: STDERR_FILENO)
  }

  /// The whole line is read, of which no more than `limit` bytes are kept: what were left would be typed into the shell.
  private static func typedLine(limit: Int) -> String {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while read(STDIN_FILENO, &byte, 1) == 1, byte != 0x0A { if line.count < limit { line.append(byte) } }
    return String(decoding: line, as: UTF8.self)
  }
}
