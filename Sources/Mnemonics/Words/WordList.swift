import Platform

/// The words of BIP-39: 2048 words in NFKD, a space after each, read in place from the program's constants: nothing is built at start-up.
///
/// Finding a word walks the list, some tens of microseconds. The walk's length depends on the word: typing in a mnemonic is no
/// place where an attacker can measure it.
struct WordList {
  static let count = 2048
  private static let space: Int32 = 0x20
  private let text: UnsafeRawBufferPointer

  init(_ words: StaticString) { text = words.bytes }

  /// - Parameter word: without a space, in NFKD.
  /// - Returns: 0 to 2047, or nil for a word that is not in the list.
  func index(of word: UnsafeRawBufferPointer) -> Int? {
    guard let base = text.baseAddress, let wanted = word.baseAddress else { return nil }
    var start = 0
    for index in 0..<Self.count {
      let end = end(from: start)
      if end - start == word.count, memcmp(base + start, wanted, word.count) == 0 { return index }
      start = end + 1
    }
    return nil
  }

  /// - Parameter index: 0 to 2047.
  func word(at index: Int) -> UnsafeRawBufferPointer {
    precondition(index >= 0 && index < Self.count)  // our own bug: callers pass 11 bits
    var start = 0
    for _ in 0..<index { start = end(from: start) + 1 }
    return text.part(start..<end(from: start))
  }

  /// Where the word that begins at `start` ends.
  private func end(from start: Int) -> Int {
    guard let base = text.baseAddress, let space = memchr(base + start, Self.space, text.count - start) else { return text.count }
    return UnsafeRawPointer(space) - base
  }
}

extension StaticString {
  /// The bytes of the constant, which live as long as the program.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: utf8Start, count: utf8CodeUnitCount) }
}
