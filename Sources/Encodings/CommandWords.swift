extension String {
  /// A stranger's text in which no command is taken for one that we suggest, which is kept whole and completed: the name of the program is
  /// followed by a space that does not break.
  public func withoutCommands(of program: String = "holdfast") -> String {
    let (bytes, name) = (Array(utf8), Array(program.utf8))
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index...].starts(with: name + [UInt8(ascii: " ")]) {
        result += name + "\u{A0}".utf8
        index += name.count + 1
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
